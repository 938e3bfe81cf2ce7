// SPDX-License-Identifier: GPL-2.0
/*
 * Lets one case of a KUnit module run alone: kunit.filter_glob is for suites that are
 * built in.
 *
 * KUnit runs the suites of a module when the module has been initialized, so what is
 * not wanted is dropped from its list before.
 */
#include <linux/glob.h>
#include <linux/module.h>
#include <kunit/test.h>

static char *filter_glob;
module_param(filter_glob, charp, 0);
MODULE_PARM_DESC(filter_glob,
		 "Run only these, as kunit.filter_glob does: \"SUITE\" or \"SUITE.CASE\"");

#ifdef MODULE

/* Keep the cases that @glob matches. Returns whether there are any. */
static bool fgk_filter_cases(struct kunit_suite *suite, const char *glob)
{
	struct kunit_case *from, *to = suite->test_cases;

	kunit_suite_for_each_test_case(suite, from)
		if (glob_match(glob, from->name))
			*to++ = *from;
	to->run_case = NULL;
	return to != suite->test_cases;
}

static int __init fgk_filter_suites(void)
{
	struct module *mod = THIS_MODULE;
	int i, kept = 0;
	char *case_glob;

	if (!filter_glob)
		return 0;

	case_glob = filter_glob;
	strsep(&case_glob, ".");
	for (i = 0; i < mod->num_kunit_suites; i++) {
		struct kunit_suite *suite = mod->kunit_suites[i];

		if (glob_match(filter_glob, suite->name) &&
		    fgk_filter_cases(suite, case_glob ?: "*"))
			mod->kunit_suites[kept++] = suite;
	}
	mod->num_kunit_suites = kept;
	return kept ? 0 : -ENOENT;
}
module_init(fgk_filter_suites);

static void __exit fgk_do_not_exit(void)
{
}
module_exit(fgk_do_not_exit);

#endif /* MODULE */
