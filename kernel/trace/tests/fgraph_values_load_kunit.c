// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the checks of signatures when a module is loaded. If a check fails,
 * the module is loaded without signatures.
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "fgraph_values_kunit.h"

#define FGV_SITES	3
#define FGV_STRINGS	"1vi1x\0002Cj1ei1y\0A,B"

/* A module that contains only signatures, and the code that they describe */
struct fgv_loading {
	struct module			mod;
	struct fgraph_mod_sections	sections;
	u32				versions[2];
	struct fgv_core {
		struct fgraph_site	sites[FGV_SITES];
		char			strings[sizeof(FGV_STRINGS)];
		char			code[16];
	} *core;
};

static void fgv_set_site(struct fgv_loading *loading, int nr, int code,
			 int string)
{
	struct fgraph_site *site = &loading->core->sites[nr];

	site->site = loading->core->code + code - (char *)&site->site;
	site->string = loading->core->strings + string - (char *)&site->string;
}

static struct fgv_loading *fgv_make_module(struct kunit *test)
{
	struct fgv_loading *loading = kunit_kzalloc(test, sizeof(*loading), GFP_KERNEL);
	struct fgv_core *core = kunit_kzalloc(test, sizeof(*core), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, loading);
	KUNIT_ASSERT_NOT_NULL(test, core);
	loading->core = core;
	memcpy(core->strings, FGV_STRINGS, sizeof(FGV_STRINGS));
	/* The sites of the second function are first, so that they need sorting */
	fgv_set_site(loading, 0, 8, 6);
	fgv_set_site(loading, 1, 8, 15);
	fgv_set_site(loading, 2, 0, 0);
	loading->versions[0] = fgraph_sig_version();
	loading->versions[1] = fgraph_sig_version();

	strscpy(loading->mod.name, "fgv_module", MODULE_NAME_LEN);
	loading->mod.core_layout.base = core;
	loading->mod.core_layout.size = sizeof(*core);
	loading->mod.fgraph_sites = core->sites;
	loading->mod.num_fgraph_sites = FGV_SITES;
	loading->sections = (struct fgraph_mod_sections){
		.strings = core->strings, .size = sizeof(core->strings),
		.versions = loading->versions, .nr_versions = 2,
	};
	return loading;
}

/* Load the module. Return the number of sites that it keeps. */
static unsigned int fgv_load(struct fgv_loading *loading)
{
	fgraph_module_loading(&loading->mod, &loading->sections);
	return loading->mod.num_fgraph_sites;
}

static void fgv_load_good_test(struct kunit *test)
{
	struct fgv_loading *loading = fgv_make_module(test);
	struct fgraph_site *site = loading->core->sites;

	KUNIT_EXPECT_EQ(test, fgv_load(loading), FGV_SITES);
	KUNIT_EXPECT_STREQ(test, (char *)&site->string + site->string, "1vi1x");

	/* A module without signatures is valid */
	loading->mod.num_fgraph_sites = 0;
	loading->sections = (struct fgraph_mod_sections){ };
	KUNIT_EXPECT_EQ(test, fgv_load(loading), 0);
}

static void fgv_load_version_test(struct kunit *test)
{
	struct fgv_loading *loading;

	/* One object file of the module has signatures in another format */
	loading = fgv_make_module(test);
	loading->versions[1]++;
	KUNIT_EXPECT_EQ(test, fgv_load(loading), 0);

	/* A module that was built before versions existed contains no version */
	loading = fgv_make_module(test);
	loading->sections.nr_versions = 0;
	KUNIT_EXPECT_EQ(test, fgv_load(loading), 0);
}

static void fgv_load_strings_test(struct kunit *test)
{
	static const int outside[] = { -1, sizeof(FGV_STRINGS), INT_MAX / 2 };
	struct fgv_loading *loading;
	int i;

	for (i = 0; i < ARRAY_SIZE(outside); i++) {
		loading = fgv_make_module(test);
		fgv_set_site(loading, 1, 8, outside[i]);
		KUNIT_EXPECT_EQ(test, fgv_load(loading), 0);
	}

	/* The last string ends with the section, without a terminator */
	loading = fgv_make_module(test);
	loading->sections.size -= 1;
	loading->core->strings[loading->sections.size - 1] = 'C';
	KUNIT_EXPECT_EQ(test, fgv_load(loading), 0);

	loading = fgv_make_module(test);
	loading->sections.size = 0;
	KUNIT_EXPECT_EQ(test, fgv_load(loading), 0);

	/* The signature requests more words than the limit */
	loading = fgv_make_module(test);
	loading->core->strings[0] = '0' + FGRAPH_MAX_WORDS + 1;
	KUNIT_EXPECT_EQ(test, fgv_load(loading), 0);

	loading = fgv_make_module(test);
	loading->core->strings[0] = '0' + FGRAPH_MAX_WORDS;
	KUNIT_EXPECT_EQ(test, fgv_load(loading), FGV_SITES);
}

static void fgv_load_sites_test(struct kunit *test)
{
	static const int outside[] = {
		sizeof_field(struct fgv_core, code) + 64, -4096, INT_MAX / 2
	};
	struct fgv_loading *loading;
	int i;

	for (i = 0; i < ARRAY_SIZE(outside); i++) {
		loading = fgv_make_module(test);
		fgv_set_site(loading, 2, outside[i], 0);
		KUNIT_EXPECT_EQ(test, fgv_load(loading), 0);
	}
}

static void fgv_load_members_test(struct kunit *test)
{
	static const char members[] = "\1S1a41b0i";
	struct fgv_loading *loading;

	loading = fgv_make_module(test);
	loading->mod.fgraph_members = members;
	loading->mod.fgraph_members_size = sizeof(members);
	KUNIT_EXPECT_EQ(test, fgv_load(loading), FGV_SITES);

	/* The last string ends with the section, without a terminator */
	loading = fgv_make_module(test);
	loading->mod.fgraph_members = members;
	loading->mod.fgraph_members_size = sizeof(members) - 1;
	KUNIT_EXPECT_EQ(test, fgv_load(loading), 0);
}

static struct kunit_case fgraph_values_load_cases[] = {
	KUNIT_CASE(fgv_load_good_test),
	KUNIT_CASE(fgv_load_version_test),
	KUNIT_CASE(fgv_load_strings_test),
	KUNIT_CASE(fgv_load_sites_test),
	KUNIT_CASE(fgv_load_members_test),
	{ }
};

struct kunit_suite fgraph_values_load_suite = {
	.name = "fgraph_values_load",
	.test_cases = fgraph_values_load_cases,
};
