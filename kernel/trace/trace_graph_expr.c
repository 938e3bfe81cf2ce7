// SPDX-License-Identifier: GPL-2.0
/*
 * Expressions in the rules of set_graph_keep, such as "count > 64 && ret == -EIO".
 *
 * The filters of events evaluate them. A filter compares the fields of an event, so an
 * expression is compiled to a filter of a pseudo event:
 *
 *	count > 64 && ret == -EIO	the rule
 *	u0>64 && s1==-5			the filter
 *	u64 u0; s64 s1; ...		the fields of the event, struct graph_record
 *
 * The names, the types and the constants depend on the function, so an expression is
 * compiled for each function. At the return of a call, the values are copied to the
 * record. All its numbers have 64 bits. So all functions use the same event.
 */
#include <linux/ctype.h>
#include <linux/kallsyms.h>
#include <linux/slab.h>
#include <linux/string_helpers.h>

#include "fgraph_internal.h"
#include "fgraph_members.h"
#include "fgraph_sig.h"
#include "trace.h"
#include "trace_graph_expr.h"
#include "trace_graph_func.h"
#include "trace_graph_value.h"
#include "trace_graph_word.h"

/* Parser */

static const char *const expr_ops[] = { "==", "!=", "<=", ">=", "<", ">", "&", "~" };

/**
 * struct expr_parser - an expression that is parsed
 * @text:	the rule
 * @syntax:	the result
 * @pos:	the rest of the expression
 */
struct expr_parser {
	const struct rule_text	*text;
	struct graph_syntax	*syntax;
	const char		*pos;
};

static int refuse(const struct expr_parser *p, enum graph_rule_error error)
{
	return graph_refuse_rule(p->text, error, p->pos);
}

/* Take the next @len chars of the expression, and skip the spaces after them. */
static struct graph_token take_token(struct expr_parser *p, size_t len)
{
	struct graph_token token = { .start = p->pos - p->text->line, .len = len };

	p->pos = skip_spaces(p->pos + len);
	return token;
}

static size_t word_length(const char *word)
{
	size_t len = 0;

	while (isalnum(word[len]) || word[len] == '_')
		len++;
	return len;
}

static size_t op_length(const char *op)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(expr_ops); i++)
		if (str_has_prefix(op, expr_ops[i]) && !str_has_prefix(op, "&&"))
			return strlen(expr_ops[i]);
	return 0;
}

static int parse_quoted(struct expr_parser *p, struct graph_comparison *comparison)
{
	const char *end;

	comparison->quote = *p->pos;
	end = strchr(p->pos + 1, *p->pos);
	/* '\'' is a char. */
	if (end && *p->pos == '\'' && end[-1] == '\\' && end[1] == '\'')
		end++;
	if (!end)
		return refuse(p, EXPR_ERR_QUOTE);
	if (end - p->pos - 1 > GRAPH_EXPR_TEXT)
		return refuse(p, EXPR_ERR_LONG);
	comparison->constant = take_token(p, end + 1 - p->pos);
	return 0;
}

static int parse_constant(struct expr_parser *p, struct graph_comparison *comparison)
{
	size_t minus = *p->pos == '-', len;

	if (*p->pos == '"' || *p->pos == '\'')
		return parse_quoted(p, comparison);
	len = graph_member_length(p->pos) ?: word_length(p->pos + minus);
	if (!len)
		return refuse(p, EXPR_ERR_CONSTANT);
	/* A duration may have a fraction. A device is MAJOR:MINOR. */
	if (isdigit(*p->pos) && (p->pos[len] == '.' || p->pos[len] == ':'))
		len += 1 + word_length(p->pos + len + 1);
	comparison->constant = take_token(p, minus + len);
	return 0;
}

static bool token_is(const char *line, struct graph_token token, const char *word)
{
	return token.len == strlen(word) && !strncmp(line + token.start, word, token.len);
}

/* Return true if this is the word "error" as a test, not a value of this name that is compared. */
static bool is_error_test(const char *pos)
{
	size_t len = word_length(pos);

	return len == strlen("error") && !strncmp(pos, "error", len) &&
		graph_member_length(pos) == len && !op_length(skip_spaces(pos + len));
}

/* Parse "error" or "error:EIO,ENOMEM". */
static int parse_error_test(struct expr_parser *p, struct graph_comparison *next)
{
	size_t len = strlen("error");

	next->is_error = true;
	next->name = (struct graph_token){ .start = p->pos - p->text->line, .len = len };
	p->pos += len;
	next->op.start = p->pos - p->text->line;
	if (*p->pos == ':') {
		p->pos++;
		next->op.start++;
		next->op.len = strcspn(p->pos, " \t()&|");
		p->pos += next->op.len;
		if (!next->op.len)
			return refuse(p, EXPR_ERR_CONSTANT);
	}
	next->constant.start = p->pos - p->text->line;
	p->pos = skip_spaces(p->pos);
	return 0;
}

static int parse_comparison(struct expr_parser *p)
{
	const char *line = p->text->line;
	struct graph_comparison *next;
	size_t len;
	int ret;

	if (p->syntax->nr == GRAPH_EXPR_COMPARISONS)
		return refuse(p, EXPR_ERR_COMPARISONS);
	next = &p->syntax->comparisons[p->syntax->nr++];
	if (is_error_test(p->pos))
		return parse_error_test(p, next);
	len = graph_member_length(p->pos);
	if (!len)
		return refuse(p, EXPR_ERR_VALUE);
	next->name = take_token(p, len);
	len = op_length(p->pos);
	if (!len)
		return refuse(p, EXPR_ERR_OP);
	next->op = take_token(p, len);
	ret = parse_constant(p, next);
	if (ret || !token_is(line, next->name, "time"))
		return ret;
	return graph_parse_duration(p->text, line + next->constant.start,
				    next->constant.len, &next->ns);
}

/* Parse parentheses and ! up to the next comparison, and the comparison. */
static int parse_operand(struct expr_parser *p, unsigned int *open)
{
	bool not;

	while (*p->pos == '(' || *p->pos == '!') {
		not = *p->pos == '!';
		*open += !not;
		take_token(p, 1);
		/* In C, "!x == 5" negates x. In a filter, it negates the comparison. */
		if (not && *p->pos != '(' && *p->pos != '!' && !is_error_test(p->pos))
			return refuse(p, EXPR_ERR_NOT);
	}
	return parse_comparison(p);
}

/**
 * graph_parse_expr - parse an expression
 * @text:	the rule
 * @expr:	the expression, in @text
 * @syntax:	set to the comparisons; must be 0
 *
 * Context: may sleep.
 * Return: 0 on success; -EINVAL after a line in error_log; or -ENOMEM.
 */
int graph_parse_expr(const struct rule_text *text, const char *expr,
		     struct graph_syntax *syntax)
{
	struct expr_parser p = { .text = text, .syntax = syntax, .pos = expr };
	unsigned int open = 0;
	int ret;

	syntax->start = expr - text->line;
	syntax->end = strlen(text->line);
	for (;;) {
		ret = parse_operand(&p, &open);
		if (ret)
			return ret;
		while (*p.pos == ')') {
			if (!open)
				return refuse(&p, EXPR_ERR_OPEN);
			open--;
			take_token(&p, 1);
		}
		if (!*p.pos && open)
			return refuse(&p, EXPR_ERR_CLOSE);
		/* Members are looked up in the index. */
		if (!*p.pos)
			return fgraph_index_members();
		if (!str_has_prefix(p.pos, "&&") && !str_has_prefix(p.pos, "||"))
			return refuse(&p, EXPR_ERR_AND_OR);
		take_token(&p, 2);
	}
}

/**
 * graph_parse_list - parse a list of members
 * @text:	the line of set_graph_show
 * @list:	the list, in @text
 * @syntax:	set to comparisons of which only the names are set; must be 0
 *
 * Context: may sleep.
 * Return: 0 on success; -EINVAL after a line in error_log; or -ENOMEM.
 */
int graph_parse_list(const struct rule_text *text, const char *list,
		     struct graph_syntax *syntax)
{
	struct expr_parser p = { .text = text, .syntax = syntax, .pos = list };
	size_t len;

	for (;;) {
		len = str_has_prefix(p.pos, "ret:");
		p.pos = skip_spaces(p.pos + len);
		if (syntax->nr == GRAPH_CALL_MEMBERS)
			return refuse(&p, EXPR_ERR_MEMBERS);
		syntax->comparisons[syntax->nr].at_return = len;
		len = graph_member_length(p.pos);
		if (!len)
			return refuse(&p, EXPR_ERR_VALUE);
		syntax->comparisons[syntax->nr++].name = take_token(&p, len);
		if (!*p.pos)
			return fgraph_index_members();
		if (*p.pos != ',')
			return refuse(&p, EXPR_ERR_LIST);
		take_token(&p, 1);
	}
}

/* Compiler */

/* The number of return registers */
#define GRAPH_RESULT_WORDS	2

/* A constant that is a number: its sign and its amount */
struct expr_number {
	bool			negative;
	u64			amount;
};

/*
 * The operand of a comparison: a value of the function, its place, the type of its text, and
 * the way to it if it is a member
 */
struct expr_value {
	enum graph_source_from	from;
	struct fgraph_value	value;
	unsigned int		text;
	struct graph_path	path;
	struct graph_token	token;
};

static bool fail(struct graph_compiler *c, enum graph_rule_error error, struct graph_token at)
{
	c->error = error;
	c->at = at.start;
	return false;
}

/* Return true if the value is a number or a pointer, in the first @words words. */
static bool is_comparable(const struct fgraph_value *value, unsigned int words)
{
	switch (fgraph_find_type(*value->base)->kind) {
	case FGRAPH_BOOL:
	case FGRAPH_CHAR:
	case FGRAPH_SIGNED:
	case FGRAPH_UNSIGNED:
	case FGRAPH_POINTER:
	case FGRAPH_ENUM:
		return value->place == FGRAPH_IN_WORDS && value->words &&
			value->word + value->words <= words;
	default:
		return false;
	}
}

static const struct {
	const char		*name;
	enum graph_source_from	from;
} task_values[] = {
	{ "pid", GRAPH_FROM_PID }, { "uid", GRAPH_FROM_UID }, { "cpu", GRAPH_FROM_CPU },
	{ "comm", GRAPH_FROM_COMM },
};

/* Find a value of the task. Its type is unsigned int or, for comm, a text. */
static bool find_task_value(const char *name, size_t len, struct expr_value *v)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(task_values); i++) {
		if (strlen(task_values[i].name) != len ||
		    strncmp(task_values[i].name, name, len))
			continue;
		*v = (struct expr_value){
			.from = task_values[i].from,
			.value = { .type = "j", .base = "j", .words = 1,
				   .bytes = sizeof(u32), .form = FGRAPH_DECIMAL },
		};
		return true;
	}
	return false;
}

static bool is_member(const struct expr_value *v)
{
	return v->from == GRAPH_FROM_MEMBER || v->from == GRAPH_FROM_RESULT_MEMBER;
}

/* Say which member of the struct has a name like that at @name. */
static void make_hint(struct graph_compiler *c, const struct graph_path_problem *problem,
		      const char *name)
{
	unsigned int name_len = 0;
	struct fgraph_member member = { };
	const char *type_name = "";

	fgraph_skip_name(fgraph_type_name(problem->type), &type_name, &name_len);
	if (fgraph_find_similar_member(&problem->st, name, word_length(name), &member))
		snprintf(c->hint, sizeof(c->hint), "%.*s has %.*s", name_len, type_name,
			 member.name_len, member.name);
}

/* Find the member that @name leads to, which begins with @root after @stars. */
static bool find_member(struct graph_compiler *c, struct graph_token name,
			const struct graph_token *root, struct expr_value *v)
{
	static const enum graph_rule_error errors[] = {
		[GRAPH_PATH_SYNTAX]	= EXPR_ERR_INDEX,
		[GRAPH_PATH_NO_POINTER]	= EXPR_ERR_NO_POINTER,
		[GRAPH_PATH_NO_STRUCT]	= EXPR_ERR_NO_STRUCT,
		[GRAPH_PATH_UNKNOWN]	= EXPR_ERR_UNKNOWN_STRUCT,
		[GRAPH_PATH_AMBIGUOUS]	= EXPR_ERR_AMBIGUOUS,
		[GRAPH_PATH_NO_MEMBER]	= EXPR_ERR_NO_MEMBER,
		[GRAPH_PATH_INDEX]	= EXPR_ERR_NO_ELEMENT,
		[GRAPH_PATH_LONG]	= EXPR_ERR_PATH_LONG,
		[GRAPH_PATH_TYPE]	= EXPR_ERR_TYPE,
	};
	unsigned int end = root->start + root->len;
	const struct fgraph_value value = v->value;
	struct graph_path_problem problem;
	enum graph_path_error error;

	if (v->from != GRAPH_FROM_ARG && v->from != GRAPH_FROM_RESULT)
		return fail(c, EXPR_ERR_NO_POINTER, name);
	error = graph_find_path(&value, c->line + end, name.start + name.len - end,
				root->start - name.start, &v->path, &v->value,
				&problem);
	if (error == GRAPH_PATH_NO_MEMBER)
		make_hint(c, &problem, c->line + end + problem.at);
	if (error == GRAPH_PATH_TYPE)
		return fail(c, errors[error], name);
	if (error)
		return fail(c, errors[error], (struct graph_token){ .start = end + problem.at });
	v->from = v->from == GRAPH_FROM_ARG ? GRAPH_FROM_MEMBER : GRAPH_FROM_RESULT_MEMBER;
	v->token = name;
	v->text = 0;
	return true;
}

/*
 * Find the value that is compared, in the signature of the function. An argument hides a
 * value of the task with the same name.
 */
static bool find_root(struct graph_compiler *c, const struct fgraph_sig *sig,
		      struct graph_token name, struct expr_value *v)
{
	unsigned int words = GRAPH_RESULT_WORDS;
	struct fgraph_sig_walk walk;

	v->from = GRAPH_FROM_RESULT;
	if (!fgraph_sig_result(&walk, sig, &v->value))
		return fail(c, EXPR_ERR_NO_SIGNATURE, name);
	if (!token_is(c->line, name, "ret")) {
		v->from = GRAPH_FROM_ARG;
		words = TRACE_GRAPH_MAX_ARGS;
		if (!fgraph_sig_find_parameter(&walk, &v->value, c->line + name.start, name.len))
			return find_task_value(c->line + name.start, name.len, v) ||
				fail(c, EXPR_ERR_NO_VALUE, name);
	}
	v->text = graph_text_type(c->func, &walk, &v->value);
	if (v->value.place == FGRAPH_OPTIMIZED_OUT)
		return fail(c, EXPR_ERR_REMOVED, name);
	if (v->from == GRAPH_FROM_ARG && c->regs + c->stack > GRAPH_EXPR_ARG_WORDS)
		return fail(c, EXPR_ERR_ARGS, name);
	return is_comparable(&v->value, words) || fail(c, EXPR_ERR_TYPE, name);
}

/* Find the value that is compared: an argument, the result, or a member. */
static bool find_value(struct graph_compiler *c, const struct fgraph_sig *sig,
		       struct graph_token name, struct expr_value *v)
{
	const char *text = c->line + name.start;
	struct graph_token root;

	root.start = name.start + strspn(text, "*");
	root.len = word_length(c->line + root.start);
	return find_root(c, sig, root, v) &&
		(root.len == name.len || find_member(c, name, &root, v));
}

/* Return true if the value is an address, or an error in place of one. */
static bool is_address(const struct expr_value *v)
{
	return fgraph_find_type(*v->value.base)->kind == FGRAPH_POINTER ||
		(v->from == GRAPH_FROM_RESULT && fgraph_may_be_address(&v->value));
}

static enum graph_source_form find_form(const struct expr_value *v, bool is_mask,
					const struct expr_number *number)
{
	if (is_address(v) && !is_mask)
		return !number->negative && number->amount >= S64_MAX ?
			GRAPH_HIGH_ADDRESS : GRAPH_ADDRESS;
	if (is_address(v))
		return GRAPH_UNSIGNED;
	return graph_value_is_signed(&v->value) ? GRAPH_SIGNED : GRAPH_UNSIGNED;
}

static bool is_in_range(const struct expr_value *v, bool is_mask,
			const struct expr_number *number)
{
	u64 max = fgraph_mask_bytes(U64_MAX, v->value.bytes);

	if (fgraph_find_type(*v->value.base)->kind == FGRAPH_BOOL)
		max = true;
	if (is_address(v) && !is_mask)
		return number->amount <= (number->negative ? MAX_ERRNO : max - MAX_ERRNO);
	if (is_address(v) || !graph_value_is_signed(&v->value))
		return !number->negative && number->amount <= max;
	return number->amount <= max / 2 + number->negative;
}

/* Find the value of a word: a flag, true, NULL, an enumerator or an error. */
static bool find_word(const struct fgraph_value *value, const char *word, size_t len,
		      struct expr_number *number)
{
	enum fgraph_kind kind = fgraph_find_type(*value->base)->kind;
	s64 enumerator;

	if (!number->negative &&
	    graph_find_form_constant(value->form, word, len, &number->amount))
		return true;
	if (kind == FGRAPH_ENUM && !number->negative &&
	    graph_find_enumerator(value, word, len, &enumerator)) {
		number->negative = enumerator < 0 && graph_value_is_signed(value);
		number->amount = number->negative ? -(u64)enumerator : enumerator;
		return true;
	}
	if (kind == FGRAPH_POINTER && len == 4 && !strncmp(word, "NULL", len))
		return true;
	if (kind == FGRAPH_BOOL && len == 5 && !strncmp(word, "false", len))
		return true;
	if (kind == FGRAPH_BOOL && len == 4 && !strncmp(word, "true", len)) {
		number->amount = true;
		return true;
	}
	/* A function returns -ENOENT. The rule may omit the minus, as in "error:". */
	number->amount = graph_find_error(word, len);
	number->negative = true;
	return number->amount;
}

/* Parse a char as it prints, such as 'c' and '\n'. */
static bool parse_char(const char *quoted, size_t len, struct expr_number *number)
{
	char text[8], unescaped[sizeof(text)];
	char c = quoted[len - 2];
	bool is_quote = len == 4 && !memcmp(quoted, "'\\''", len);

	if (len != 3 && !is_quote) {
		if (len - 2 >= sizeof(text))
			return false;
		memcpy(text, quoted + 1, len - 2);
		text[len - 2] = '\0';
		if (string_unescape(text, unescaped, sizeof(unescaped), UNESCAPE_ANY) != 1)
			return false;
		c = unescaped[0];
	}
	number->negative = c < 0;
	number->amount = c < 0 ? -c : c;
	return true;
}

static bool parse_number(struct graph_compiler *c, const struct graph_comparison *comparison,
			 const struct fgraph_value *value, struct expr_number *number)
{
	struct graph_token constant = comparison->constant;
	const char *text = c->line + constant.start;
	char digits[24];

	*number = (struct expr_number){ };
	if (comparison->quote)
		return (comparison->quote == '\'' && parse_char(text, constant.len, number)) ||
			fail(c, EXPR_ERR_CONSTANT, constant);
	if (*text == '-') {
		number->negative = true;
		text++;
		constant.len--;
	}
	if (!isdigit(*text) || memchr(text, ':', constant.len))
		return find_word(value, text, constant.len, number) ||
			fail(c, EXPR_ERR_NAME, comparison->constant);
	if (constant.len >= sizeof(digits))
		return fail(c, EXPR_ERR_CONSTANT, comparison->constant);
	memcpy(digits, text, constant.len);
	digits[constant.len] = '\0';
	return !kstrtoull(digits, 0, &number->amount) ||
		fail(c, EXPR_ERR_CONSTANT, comparison->constant);
}

/*
 * Return the index of @source among @nr @sources, after adding it if needed, or -1 if
 * there is no room for it.
 */
static int add_source(struct graph_source *sources, u8 *nr, unsigned int max,
		      const struct graph_source *source)
{
	unsigned int i;

	for (i = 0; i < *nr; i++)
		if (!memcmp(&sources[i], source, sizeof(*source)))
			return i;
	if (i == max)
		return -1;
	sources[(*nr)++] = *source;
	return i;
}

static bool source_is_signed(const struct graph_source *source)
{
	return source->form == GRAPH_SIGNED || source->form == GRAPH_ADDRESS;
}

/* Return the index of a number to compare. If there is no room for it, return -1. */
static int add_number(struct graph_compiler *c, const struct graph_source *source,
		      struct graph_token at)
{
	struct graph_sources *sources = &c->sources;
	int i = add_source(sources->numbers, &sources->nr_numbers, GRAPH_EXPR_NUMBERS, source);

	if (i < 0)
		fail(c, EXPR_ERR_NUMBERS, at);
	return i;
}

/* Compare a number, or the result of its comparison with another one, which is signed. */
static bool put_number(struct graph_compiler *c, const struct graph_comparison *comparison,
		       const struct graph_source *source, const struct expr_number *number)
{
	bool is_signed = source->than || source_is_signed(source);
	int i;

	if (c->line[comparison->op.start] == '~')
		return fail(c, EXPR_ERR_NUMBER_OP, comparison->op);
	i = add_number(c, source, comparison->name);
	if (i < 0)
		return false;
	seq_buf_printf(&c->text, "%c%d%.*s%s%llu", is_signed ? 's' : 'u', i,
		       comparison->op.len, c->line + comparison->op.start,
		       number->negative ? "-" : "", number->amount);
	return true;
}

/* Return the index of the member of a value in the compiler plus one, or 0. */
static unsigned int add_member(struct graph_compiler *c, const struct expr_value *v)
{
	size_t len = fgraph_skip_member_type(v->value.type) - v->value.type;
	struct graph_expr_member *member = c->members;
	unsigned int i;

	for (i = 0; i < c->nr_members; i++, member++)
		if (!memcmp(&member->path, &v->path, sizeof(v->path)))
			return i + 1;
	if (i == GRAPH_CALL_MEMBERS || len >= sizeof(member->type))
		return 0;
	member->path = v->path;
	member->token = v->token;
	member->value = v->value;
	graph_copy_type(&member->value, member->type, len);
	member->type[len] = '\0';
	return ++c->nr_members;
}

static bool make_source(struct graph_compiler *c, const struct expr_value *v,
			enum graph_source_form form, struct graph_source *source)
{
	*source = (struct graph_source){
		.from = v->from, .form = form, .word = v->value.word,
		.words = v->value.words, .bytes = v->value.bytes, .kind = v->value.form,
	};
	if (!is_member(v))
		return true;
	if (form != GRAPH_TEXT && v->path.end != GRAPH_PATH_NUMBER)
		return fail(c, EXPR_ERR_TYPE, v->token);
	source->member = add_member(c, v);
	return source->member || fail(c, EXPR_ERR_MEMBERS, v->token);
}

/* Return true if a text can be recorded completely. A text that is cut ends with a mark. */
static bool can_be_recorded(const char *text, size_t len)
{
	static const char cut[] = "…";
	size_t mark = strlen(cut);

	if (len > mark && !memcmp(text + len - mark, cut, mark))
		len -= mark;
	return len <= GRAPH_NAME_BYTES;
}

/* Return true if the value has a text. Choose the text of a member that is a char pointer. */
static bool use_text(struct expr_value *v)
{
	if (is_member(v))
		return graph_path_to_text(&v->path, &v->value);
	return v->text || v->from == GRAPH_FROM_COMM;
}

static bool put_text(struct graph_compiler *c, const struct graph_comparison *comparison,
		     struct expr_value *v)
{
	const char *op = c->line + comparison->op.start;
	const char *text = c->line + comparison->constant.start + 1;
	struct graph_source source;
	int i;

	if (!use_text(v))
		return fail(c, EXPR_ERR_NO_TEXT, comparison->name);
	if (!make_source(c, v, GRAPH_TEXT, &source))
		return false;
	if (*op != '~' && *op != '=' && *op != '!')
		return fail(c, EXPR_ERR_TEXT_OP, comparison->op);
	if (*op == '=' && !can_be_recorded(text, comparison->constant.len - 2))
		return fail(c, EXPR_ERR_CUT, comparison->constant);
	i = add_source(c->sources.texts, &c->sources.nr_texts, GRAPH_EXPR_TEXTS, &source);
	if (i < 0 || (v->from == GRAPH_FROM_ARG &&
		      !graph_add_to_plan(&c->plan, v->text, v->value.word)))
		return fail(c, EXPR_ERR_TEXTS, comparison->name);
	if (v->from == GRAPH_FROM_RESULT)
		c->plan |= v->text << GRAPH_PLAN_RESULT_SHIFT;

	seq_buf_printf(&c->text, "t%d%.*s\"", i, comparison->op.len, op);
	/* In a filter, a glob that begins with one of these has another meaning. */
	if (*op == '~' && (*text == '!' || isdigit(*text)))
		seq_buf_putc(&c->text, '\\');
	seq_buf_printf(&c->text, "%.*s\"", comparison->constant.len - 2, text);
	return true;
}

/* Compare the errors of a test: "error:EIO,ENOMEM" becomes "(s0==-5||s0==-12)". */
static bool put_errors(struct graph_compiler *c, const struct graph_comparison *comparison,
		       int source)
{
	struct graph_token name = comparison->op;
	const char *list = c->line + name.start, *end = list + name.len;
	const char *separator = "(";
	unsigned int number;

	for (; list <= end; list += name.len + 1) {
		list += *list == '-';
		name.start = list - c->line;
		name.len = strcspn(list, ",");
		name.len = min_t(size_t, name.len, end - list);
		number = graph_find_error(list, name.len);
		if (!number)
			return fail(c, EXPR_ERR_NAME, name);
		seq_buf_printf(&c->text, "%ss%d==-%u", separator, source, number);
		separator = "||";
	}
	seq_buf_putc(&c->text, ')');
	return true;
}

static bool put_error_test(struct graph_compiler *c,
			   const struct graph_comparison *comparison)
{
	const struct graph_source source = { .from = GRAPH_FROM_ERROR, .form = GRAPH_SIGNED };
	int i = add_number(c, &source, comparison->name);

	if (i < 0)
		return false;
	if (comparison->op.len)
		return put_errors(c, comparison, i);
	seq_buf_printf(&c->text, "s%d<0", i);
	return true;
}

/* Compare a value with another one: "ret != count" becomes "s1!=0". */
static bool put_pair(struct graph_compiler *c, const struct graph_comparison *comparison,
		     const struct expr_value *v, const struct expr_value *other)
{
	static const struct expr_number zero;
	struct graph_source source;
	int than;

	if (c->line[comparison->op.start] == '&')
		return fail(c, EXPR_ERR_PAIR_OP, comparison->op);
	if (v->from == GRAPH_FROM_COMM || other->from == GRAPH_FROM_COMM)
		return fail(c, EXPR_ERR_TYPE, comparison->name);
	if (!make_source(c, other, find_form(other, false, &zero), &source))
		return false;
	than = add_number(c, &source, comparison->constant);
	if (than < 0)
		return false;
	if (!make_source(c, v, find_form(v, false, &zero), &source))
		return false;
	source.than = than + 1;
	return put_number(c, comparison, &source, &zero);
}

static bool put_duration(struct graph_compiler *c, const struct graph_comparison *comparison)
{
	const struct graph_source source = { .from = GRAPH_FROM_TIME, .form = GRAPH_SIGNED };
	const struct expr_number number = { .amount = comparison->ns };

	return put_number(c, comparison, &source, &number);
}

/*
 * Return true if the right side of a comparison is the name of another value. A word that is
 * a constant of the type of the left side, such as an enumerator, does not count.
 */
static bool is_value(struct graph_compiler *c, const struct fgraph_sig *sig,
		     const struct graph_comparison *comparison, const struct expr_value *v,
		     struct expr_value *other)
{
	struct graph_token word = comparison->constant;
	const char *text = c->line + word.start;
	struct expr_number number = { };

	return !comparison->quote && !isdigit(*text) && *text != '-' &&
		!find_word(&v->value, text, word.len, &number) &&
		!token_is(c->line, word, "time") && find_value(c, sig, word, other);
}

static bool put_comparison(struct graph_compiler *c, const struct fgraph_sig *sig,
			   const struct graph_comparison *comparison)
{
	bool is_mask = c->line[comparison->op.start] == '&';
	struct expr_number number;
	struct graph_source source;
	struct expr_value v, other;

	if (comparison->is_error)
		return put_error_test(c, comparison);
	if (token_is(c->line, comparison->name, "time"))
		return put_duration(c, comparison);
	if (!find_value(c, sig, comparison->name, &v))
		return false;
	if (comparison->quote == '"')
		return put_text(c, comparison, &v);
	if (v.from == GRAPH_FROM_COMM)
		return fail(c, EXPR_ERR_CONSTANT, comparison->constant);
	if (is_value(c, sig, comparison, &v, &other))
		return put_pair(c, comparison, &v, &other);
	if (!parse_number(c, comparison, &v.value, &number))
		return false;
	/* -0 is 0, also for an unsigned type. */
	number.negative &= !!number.amount;
	if (!is_in_range(&v, is_mask, &number))
		return fail(c, EXPR_ERR_RANGE, comparison->constant);
	if (token_is(c->line, comparison->op, "<") && !number.amount &&
	    !is_address(&v) && !graph_value_is_signed(&v.value))
		return fail(c, EXPR_ERR_NEVER, comparison->constant);
	return make_source(c, &v, find_form(&v, is_mask, &number), &source) &&
		put_number(c, comparison, &source, &number);
}

/* Translate the expression to the text of a filter, with the values of @sig. */
static bool translate(struct graph_compiler *c, const struct fgraph_sig *sig)
{
	const struct graph_comparison *comparison;
	unsigned int pos = c->syntax->start, i;

	for (i = 0; i < c->syntax->nr; i++) {
		comparison = &c->syntax->comparisons[i];
		seq_buf_printf(&c->text, "%.*s", comparison->name.start - pos, c->line + pos);
		if (!put_comparison(c, sig, comparison))
			return false;
		pos = comparison->constant.start + comparison->constant.len;
	}
	seq_buf_printf(&c->text, "%.*s", c->syntax->end - pos, c->line + pos);
	return !seq_buf_has_overflowed(&c->text) ||
		fail(c, EXPR_ERR_SIZE, c->syntax->comparisons[0].name);
}

/* Replace the indexes of members in @sources by their IDs. */
static void use_ids(struct graph_source *sources, unsigned int nr, const u16 *ids)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (sources[i].member)
			sources[i].member = ids[sources[i].member - 1];
}

/* Find the IDs of the members that the expression compares, and add them to c->list. */
static bool get_members(struct graph_compiler *c)
{
	struct graph_member_list own = { .nr = c->nr_members }, entry = { }, results = { };
	const struct graph_expr_member *member = c->members;
	unsigned int i;
	int id;

	for (i = 0; i < own.nr; i++, member++) {
		id = graph_get_member(&member->path, &member->value,
				      c->line + member->token.start, member->token.len);
		if (id < 0)
			return fail(c, EXPR_ERR_NO_ROOM, member->token);
		own.ids[i] = id;
		/* A member of the result is read at the return. */
		if (member->path.of_result || member->path.at_return)
			results.ids[results.nr++] = id;
		else
			entry.ids[entry.nr++] = id;
	}
	use_ids(c->sources.numbers, c->sources.nr_numbers, own.ids);
	use_ids(c->sources.texts, c->sources.nr_texts, own.ids);
	return (graph_add_members(&c->list, &entry) &&
		graph_add_members(&c->results, &results)) ||
		fail(c, EXPR_ERR_MEMBERS, c->members[0].token);
}

/* Find the members of a list. */
static bool find_listed(struct graph_compiler *c, const struct fgraph_sig *sig)
{
	struct graph_token name;
	struct expr_value v;
	unsigned int i;

	for (i = 0; i < c->syntax->nr; i++) {
		name = c->syntax->comparisons[i].name;
		if (!find_value(c, sig, name, &v))
			return false;
		if (!is_member(&v))
			return fail(c, EXPR_ERR_NOT_MEMBER, name);
		v.path.at_return = c->syntax->comparisons[i].at_return && !v.path.of_result;
		graph_path_to_text(&v.path, &v.value);
		if (!add_member(c, &v))
			return fail(c, EXPR_ERR_MEMBERS, name);
	}
	return true;
}

/* Compile for a function, by a function that gets its signature. */
static bool compile(struct graph_compiler *c, unsigned long func,
		    bool (*find)(struct graph_compiler *c, const struct fgraph_sig *sig))
{
	struct graph_arg_counts nr;
	struct fgraph_sig sig;
	bool good;

	c->func = func;
	c->hint[0] = '\0';
	c->nr_members = 0;
	memset(&c->sources, 0, sizeof(c->sources));
	seq_buf_init(&c->text, c->buffer, sizeof(c->buffer));
	fgraph_lock_members();
	/* The signature is valid until preemption is enabled. */
	preempt_disable();
	good = fgraph_find_signature(func, &sig);
	if (good) {
		nr = graph_count_sig_args(sig.text);
		c->regs = nr.regs;
		c->stack = nr.stack;
		good = find(c, &sig);
	} else {
		fail(c, EXPR_ERR_NO_SIGNATURE, c->syntax->comparisons[0].name);
	}
	preempt_enable();
	good = good && get_members(c);
	fgraph_unlock_members();
	return good;
}

/**
 * graph_compile_expr - compile an expression for a function
 * @c:		the expression, in c->line and c->syntax. c->plan and c->list are what the
 *		other rules for the function read.
 * @func:	the address of the function
 *
 * Context: may sleep.
 * Return: true if the function has all values. Otherwise, c->error and c->at are set.
 */
bool graph_compile_expr(struct graph_compiler *c, unsigned long func)
{
	return compile(c, func, translate);
}

/**
 * graph_compile_list - find the members of a list for a function
 * @c:		the list, in c->line and c->syntax. c->list and c->results are what the other
 *		lines for the function show; the members are added to them.
 * @func:	the address of the function
 *
 * Context: may sleep.
 * Return: true if the function has all members. Otherwise, c->error and c->at are set.
 */
bool graph_compile_list(struct graph_compiler *c, unsigned long func)
{
	return compile(c, func, find_listed);
}

/* Programs */

/* The pseudo event that a program compares. A field of a text contains its place. */
struct graph_record {
	u64			numbers[GRAPH_EXPR_NUMBERS];
	u32			text_places[GRAPH_EXPR_TEXTS];
	char			texts[GRAPH_EXPR_TEXTS][GRAPH_TEXT_BYTES];
};

static const char *const field_names[] = {
	"u0", "u1", "u2", "u3", "u4", "u5", "u6", "u7",
	"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7",
	"t0", "t1", "t2",
};

static_assert(ARRAY_SIZE(field_names) == 2 * GRAPH_EXPR_NUMBERS + GRAPH_EXPR_TEXTS);

static struct ftrace_event_field graph_fields[ARRAY_SIZE(field_names)];

static struct trace_event_class graph_event_class = {
	.fields	= LIST_HEAD_INIT(graph_event_class.fields),
};

static struct trace_event_call graph_event = { .class = &graph_event_class };

static void __init init_field(struct ftrace_event_field *field, const char *name)
{
	unsigned int i = name[1] - '0';

	field->name = name;
	if (*name == 't') {
		field->type = "__data_loc char[]";
		field->filter_type = FILTER_DYN_STRING;
		field->offset = offsetof(struct graph_record, text_places[i]);
		field->size = sizeof(u32);
	} else {
		field->filter_type = FILTER_OTHER;
		field->offset = offsetof(struct graph_record, numbers[i]);
		field->size = sizeof(u64);
		field->is_signed = *name == 's';
	}
	list_add(&field->link, &graph_event_class.fields);
}

static int __init graph_init_fields(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(field_names); i++)
		init_field(&graph_fields[i], field_names[i]);
	return 0;
}
core_initcall(graph_init_fields);

/**
 * graph_make_program - make a program from the result of graph_compile_expr()
 * @c:		the compiler
 *
 * Context: may sleep.
 * Return: the program, or an error pointer.
 */
struct graph_program *graph_make_program(struct graph_compiler *c)
{
	unsigned int len = seq_buf_used(&c->text);
	struct graph_program *program;
	int ret;

	program = kzalloc(struct_size(program, text, len + 1), GFP_KERNEL);
	if (!program)
		return ERR_PTR(-ENOMEM);
	program->sources = c->sources;
	memcpy(program->text, c->buffer, len);
	ret = create_event_filter(NULL, &graph_event, program->text, false, &program->filter);
	if (!ret)
		return program;
	/* A filter that the compiler made has no mistakes. */
	WARN_ON_ONCE(ret != -ENOMEM);
	graph_free_program(program);
	return ERR_PTR(ret);
}

/**
 * graph_free_program - free a program
 * @program:	the program
 *
 * Context: may sleep.
 */
void graph_free_program(struct graph_program *program)
{
	free_event_filter(program->filter);
	kfree(program);
}

/* Find a member that the program compares. @room has GRAPH_NAME_WORDS. */
static const struct graph_name *find_source_member(const struct graph_source *source,
						   const struct graph_operands *v,
						   unsigned long *room)
{
	const unsigned long *names = v->names;
	unsigned int nr = v->nr_names;

	if (source->from == GRAPH_FROM_RESULT_MEMBER) {
		names = room;
		nr = graph_read_member(source->member, v->call->retregs[0], room);
	}
	return graph_find_member_name(names, nr, source->member);
}

static bool read_member_number(const struct graph_source *source,
			       const struct graph_operands *v, u64 *number)
{
	unsigned long room[GRAPH_NAME_WORDS] __uninitialized;
	const struct graph_name *name = find_source_member(source, v, room);

	if (name)
		*number = fgraph_mask_bytes(graph_member_number(name), source->bytes);
	return name;
}

static bool read_member_text(const struct graph_source *source,
			     const struct graph_operands *v, char *text)
{
	unsigned long room[GRAPH_NAME_WORDS] __uninitialized;
	const struct graph_name *name = find_source_member(source, v, room);

	return name && graph_copy_name(name, text);
}

/* Return a number, given the bits that have its size. */
static u64 convert_bits(const struct graph_source *source, u64 bits)
{
	bits = graph_form_number(source->kind, bits, source->bytes);
	if (source->form == GRAPH_SIGNED)
		return fgraph_sign_extend_bytes(bits, source->bytes);
	if (source->form == GRAPH_HIGH_ADDRESS)
		return IS_ERR_VALUE((unsigned long)bits) ? 0 : bits;
	if (source->form == GRAPH_ADDRESS)
		return IS_ERR_VALUE((unsigned long)bits) ? (long)bits :
			min_t(u64, bits, S64_MAX);
	return bits;
}

/* Copy a number to the record. Return false if it was not recorded. */
static bool read_number(const struct graph_source *source,
			const struct graph_operands *v, u64 *number)
{
	const unsigned long *words = v->call->retregs;
	u64 bits;

	switch (source->from) {
	case GRAPH_FROM_TIME:
		*number = __fgraph_rettime(v->call) - fgraph_calltime(v->call, v->sleep_time);
		return true;
	case GRAPH_FROM_ERROR:
		*number = graph_result_error(v->call->func, v->call->retregs);
		return true;
	case GRAPH_FROM_PID:
		*number = current->pid;
		return true;
	case GRAPH_FROM_UID:
		*number = __kuid_val(current_uid());
		return true;
	case GRAPH_FROM_CPU:
		*number = smp_processor_id();
		return true;
	case GRAPH_FROM_ARG:
		if (source->word + source->words > v->nr_args)
			return false;
		words = v->args;
		break;
	case GRAPH_FROM_MEMBER:
	case GRAPH_FROM_RESULT_MEMBER:
		if (!read_member_number(source, v, &bits))
			return false;
		*number = convert_bits(source, bits);
		return true;
	}

	bits = fgraph_words_bits(words + source->word, source->words, source->bytes);
	*number = convert_bits(source, bits);
	return true;
}

/* Compare two numbers, each of which is negative only if it is signed. */
static int compare_numbers(u64 a, bool a_signed, u64 b, bool b_signed)
{
	bool a_negative = a_signed && (s64)a < 0, b_negative = b_signed && (s64)b < 0;

	if (a_negative != b_negative)
		return a_negative ? -1 : 1;
	return a < b ? -1 : a > b;
}

static bool read_text(const struct graph_source *source, const struct graph_operands *v,
		      char *text)
{
	static_assert(TASK_COMM_LEN <= GRAPH_TEXT_BYTES);
	if (source->from == GRAPH_FROM_COMM) {
		memcpy(text, current->comm, TASK_COMM_LEN);
		return true;
	}
	if (source->member)
		return read_member_text(source, v, text);
	if (source->from == GRAPH_FROM_RESULT)
		return graph_copy_text(v->result_name, v->nr_result_name, source->word, true,
				       text);
	return graph_copy_text(v->names, v->nr_names, source->word, false, text);
}

/* Replace a number by the result of its comparison with another one. */
static void compare_to_other(const struct graph_sources *sources, unsigned int i, u64 *numbers)
{
	const struct graph_source *source = &sources->numbers[i];
	unsigned int than = source->than - 1;

	numbers[i] = compare_numbers(numbers[i], source_is_signed(source), numbers[than],
				     source_is_signed(&sources->numbers[than]));
}

/**
 * graph_run_program - evaluate an expression
 * @program:	the program
 * @operands:	the values of the call
 *
 * Context: any, with preemption disabled.
 * Return: true if the expression is true. It is false if one of its values is not known.
 */
bool graph_run_program(const struct graph_program *program,
		       const struct graph_operands *operands)
{
	const struct graph_sources *sources = &program->sources;
	const struct graph_source *source;
	struct graph_record record;
	unsigned int i, place;

	for (i = 0; i < sources->nr_numbers; i++) {
		source = &sources->numbers[i];
		if (!read_number(source, operands, &record.numbers[i]))
			return false;
		if (source->than)
			compare_to_other(sources, i, record.numbers);
	}
	for (i = 0; i < sources->nr_texts; i++) {
		if (!read_text(&sources->texts[i], operands, record.texts[i]))
			return false;
		place = offsetof(struct graph_record, texts) + i * GRAPH_TEXT_BYTES;
		record.text_places[i] = place | (strlen(record.texts[i]) + 1) << 16;
	}
	return filter_match_preds(program->filter, &record);
}
