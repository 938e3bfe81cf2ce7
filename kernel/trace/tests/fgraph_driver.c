// SPDX-License-Identifier: GPL-2.0
/*
 * A driver that fails, for tests of programs that explain why a driver fails:
 *
 *	# echo irq > /sys/module/fgraph_driver/parameters/fail
 *
 * adds a device "fgraph_driver", whose probe fails because the device has no interrupt, and
 * removes the device. The table below has what else can fail: probes, and functions whose
 * errors nobody gets.
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/firmware.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

#define NO_IRQ_NUMBER	0x7fffffff

static int fgraph_driver_load(struct device *dev)
{
	const struct firmware *firmware;
	int ret = request_firmware(&firmware, "fgraph/none.bin", dev);

	if (!ret)
		release_firmware(firmware);
	return ret;
}

/* Probes */

static int fgraph_driver_get_irq(struct platform_device *pdev)
{
	int irq = platform_get_irq(pdev, 0);

	return irq < 0 ? irq : 0;
}

static int fgraph_driver_map_nothing(struct platform_device *pdev)
{
	return PTR_ERR_OR_ZERO(devm_platform_ioremap_resource(pdev, 0));
}

/* The registers would be where memory is. */
static int fgraph_driver_map_memory(struct platform_device *pdev)
{
	void *memory = kmalloc(PAGE_SIZE, GFP_KERNEL);
	struct resource res = DEFINE_RES_MEM(0, PAGE_SIZE);
	int ret;

	if (!memory)
		return -ENOMEM;
	res.start = virt_to_phys(memory);
	res.end += res.start;
	ret = PTR_ERR_OR_ZERO(devm_ioremap_resource(&pdev->dev, &res));
	kfree(memory);
	return ret;
}

static irqreturn_t fgraph_driver_handle(int irq, void *data)
{
	return IRQ_NONE;
}

static int fgraph_driver_request_irq(struct platform_device *pdev)
{
	return devm_request_irq(&pdev->dev, NO_IRQ_NUMBER, fgraph_driver_handle, 0, "none",
				NULL);
}

static int fgraph_driver_load_firmware(struct platform_device *pdev)
{
	return fgraph_driver_load(&pdev->dev);
}

static int (*fgraph_driver_todo)(struct platform_device *pdev);

static int fgraph_driver_probe(struct platform_device *pdev)
{
	return fgraph_driver_todo ? fgraph_driver_todo(pdev) : 0;
}

static struct platform_driver fgraph_driver = {
	.probe = fgraph_driver_probe,
	.driver.name = "fgraph_driver",
};

static int fgraph_driver_fail_probe(int (*todo)(struct platform_device *pdev))
{
	struct platform_device *pdev;

	fgraph_driver_todo = todo;
	pdev = platform_device_register_simple("fgraph_driver", PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(pdev))
		return PTR_ERR(pdev);
	platform_device_unregister(pdev);
	return 0;
}

/* Probe a device that needs another one, which has no driver. */
static int fgraph_driver_defer(struct platform_device *pdev)
{
	struct platform_device *supplier;
	int ret = -ENODEV;

	supplier = platform_device_register_simple("fgraph_supplier", PLATFORM_DEVID_NONE, NULL,
						   0);
	if (IS_ERR(supplier))
		return PTR_ERR(supplier);
	if (device_link_add(&pdev->dev, &supplier->dev, DL_FLAG_AUTOREMOVE_CONSUMER))
		ret = platform_driver_register(&fgraph_driver);
	platform_device_unregister(supplier);
	return ret;
}

/* The link is made before there is a driver. */
static int fgraph_driver_fail_supplier(void)
{
	struct platform_device *pdev;
	int ret;

	platform_driver_unregister(&fgraph_driver);
	pdev = platform_device_register_simple("fgraph_driver", PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(pdev))
		return platform_driver_register(&fgraph_driver) ?: PTR_ERR(pdev);
	ret = fgraph_driver_defer(pdev);
	if (ret)
		platform_driver_register(&fgraph_driver);
	platform_device_unregister(pdev);
	return ret;
}

/* Errors that nobody gets */

static void fgraph_driver_work(struct work_struct *work)
{
	fgraph_driver_load(NULL);
}

static int fgraph_driver_fail_work(void)
{
	static DECLARE_WORK(work, fgraph_driver_work);

	schedule_work(&work);
	flush_work(&work);
	return 0;
}

static void fgraph_driver_timer(struct timer_list *unused)
{
	int ret = request_irq(NO_IRQ_NUMBER, fgraph_driver_handle, 0, "none", NULL);

	WARN_ON(!ret);
}

/* The CPU does not become idle, so the timer interrupts a task other than the idle task. */
static int fgraph_driver_fail_timer(void)
{
	static DEFINE_TIMER(timer, fgraph_driver_timer);

	timer.expires = jiffies + 1;
	migrate_disable();
	add_timer_on(&timer, smp_processor_id());
	while (timer_pending(&timer))
		cond_resched();
	migrate_enable();
	del_timer_sync(&timer);
	return 0;
}

/* The handler of an interrupt that software raises. It wakes the thread up. */
static irqreturn_t fgraph_driver_irq_thread(int irq, void *data)
{
	fgraph_driver_load(NULL);
	return IRQ_HANDLED;
}

static int fgraph_driver_raise_irq(int irq)
{
	unsigned long flags;
	int ret;

	irq_set_chip_and_handler(irq, &dummy_irq_chip, handle_simple_irq);
	irq_clear_status_flags(irq, IRQ_NOREQUEST);
	ret = request_threaded_irq(irq, NULL, fgraph_driver_irq_thread, IRQF_ONESHOT,
				   "fgraph_driver", NULL);
	if (ret)
		return ret;
	local_irq_save(flags);
	generic_handle_irq(irq);
	local_irq_restore(flags);
	/* This waits for the thread. */
	synchronize_irq(irq);
	free_irq(irq, NULL);
	return 0;
}

static int fgraph_driver_fail_irq_thread(void)
{
	int irq = irq_alloc_desc(NUMA_NO_NODE), ret;

	if (irq < 0)
		return irq;
	ret = fgraph_driver_raise_irq(irq);
	irq_free_desc(irq);
	return ret;
}

static DECLARE_COMPLETION(fgraph_driver_done);

static int fgraph_driver_thread(void *unused)
{
	int ret = fgraph_driver_load(NULL);

	complete(&fgraph_driver_done);
	return ret;
}

static int fgraph_driver_fail_thread(void)
{
	struct task_struct *task;

	reinit_completion(&fgraph_driver_done);
	task = kthread_run(fgraph_driver_thread, NULL, "fgraph_driver");
	if (IS_ERR(task))
		return PTR_ERR(task);
	wait_for_completion(&fgraph_driver_done);
	return 0;
}

static const struct fgraph_driver_failure {
	const char	*name;
	int		(*probe)(struct platform_device *pdev);
	int		(*fail)(void);
} failures[] = {
	{ "irq",	.probe = fgraph_driver_get_irq },
	{ "registers",	.probe = fgraph_driver_map_nothing },
	{ "busy",	.probe = fgraph_driver_map_memory },
	{ "handler",	.probe = fgraph_driver_request_irq },
	{ "firmware",	.probe = fgraph_driver_load_firmware },
	{ "supplier",	.fail = fgraph_driver_fail_supplier },
	{ "work",	.fail = fgraph_driver_fail_work },
	{ "timer",	.fail = fgraph_driver_fail_timer },
	{ "irq-thread",	.fail = fgraph_driver_fail_irq_thread },
	{ "thread",	.fail = fgraph_driver_fail_thread },
};

/*
 * The failure that is tried, and its task. Only this module has these types: members-module.tc has
 * rules for their members.
 */
struct fgraph_driver_run {
	const struct fgraph_driver_failure	*failure;
	enum fgraph_driver_kind {
		FGRAPH_DRIVER_PROBE = 3,
		FGRAPH_DRIVER_FUNCTION = 7,
	}					kind;
	unsigned int				number : 5;
	const struct task_struct		*task;
};

static noinline __noclone int fgraph_driver_start(const struct fgraph_driver_run *run)
{
	if (run->kind == FGRAPH_DRIVER_PROBE)
		return fgraph_driver_fail_probe(run->failure->probe);
	return run->failure->fail();
}

static bool fgraph_driver_is_registered;

static int fgraph_driver_fail(const char *name, const struct kernel_param *param)
{
	struct fgraph_driver_run run = { .task = current };
	unsigned int i;

	if (!fgraph_driver_is_registered)
		return -EAGAIN;
	for (i = 0; i < ARRAY_SIZE(failures); i++) {
		if (!sysfs_streq(name, failures[i].name))
			continue;
		run.failure = &failures[i];
		run.kind = failures[i].fail ? FGRAPH_DRIVER_FUNCTION : FGRAPH_DRIVER_PROBE;
		run.number = i;
		return fgraph_driver_start(&run);
	}
	return -EINVAL;
}

static const struct kernel_param_ops fail_ops = { .set = fgraph_driver_fail };
module_param_cb(fail, &fail_ops, NULL, 0200);
MODULE_PARM_DESC(fail, "what fails now: irq, registers, busy, handler, firmware, supplier, work, timer, irq-thread or thread");

static int init_error;
module_param(init_error, int, 0);
MODULE_PARM_DESC(init_error, "what the init of the module returns, such as -16");

static int __init fgraph_driver_init(void)
{
	int ret = init_error ?: platform_driver_register(&fgraph_driver);

	fgraph_driver_is_registered = !ret;
	return ret;
}

static void __exit fgraph_driver_exit(void)
{
	platform_driver_unregister(&fgraph_driver);
}

module_init(fgraph_driver_init);
module_exit(fgraph_driver_exit);
MODULE_DESCRIPTION("Test driver that fails");
MODULE_LICENSE("GPL");
