// SPDX-License-Identifier: GPL-2.0
'use strict';

const get = id => document.getElementById(id);
const data = JSON.parse(get('data').textContent);
const head = data.head, rows = data.calls, total = rows.length;

/* The fields of a row. Only a root, whose depth is 0, has those from PID on. */
const DEPTH = 0, BEGIN = 1, NS = 2, NAME = 3, TEXT = 4, RECORDED = 5, NOTE = 6, ERROR = 7,
      CHAIN = 8, PID = 9, TASK = 10, SYSCALL = 11;

/* The chain of an error begins with this call. */
const BEGINS = 1;

const ROW_HEIGHT = 18, MARGIN = 30, MAX_INDENT = 40, MAX_LISTED = 2000;

/* For each call: the call that encloses it, its root, and the index after its inner calls */
const parent = new Int32Array(total), root = new Int32Array(total), end = new Int32Array(total);
/* The roots in the order of time. An interrupt is recorded before the call that it interrupts. */
const roots = [];
/* A run contains the interrupts of a thread between two of its system calls. Its number is
 * that of the first call in it plus total. */
const runs = new Map(), runOf = new Map();
/* The first level of the list: roots and runs */
let listed = [];
const unfolded = new Uint8Array(2 * total);

/* The rows that are shown now: calls and runs; and the selected one */
let shown = new Int32Array(0), current = -1;
let hits = [], isHit = new Uint8Array(total), errors = [];
let words = null;

function link() {
	const open = [];

	rows.forEach((row, i) => {
		const depth = row[DEPTH];

		open[depth] = i;
		parent[i] = depth ? open[depth - 1] : -1;
		root[i] = open[0];
		if (!depth)
			roots.push(i);
	});
	for (let i = total - 1; i >= 0; i--) {
		end[i] = Math.max(end[i], i + 1);
		if (parent[i] >= 0)
			end[parent[i]] = Math.max(end[parent[i]], end[i]);
	}
	roots.sort((a, b) => rows[a][BEGIN] - rows[b][BEGIN] || a - b);
}

/* A trace of other functions than system calls has nothing to put aside. */
function makeRuns() {
	const open = new Map();

	if (!roots.some(i => rows[i][SYSCALL])) {
		listed = roots;
		return;
	}
	for (const i of roots) {
		const pid = rows[i][PID];

		if (rows[i][SYSCALL]) {
			open.delete(pid);
			listed.push(i);
			continue;
		}
		if (!open.has(pid)) {
			open.set(pid, total + i);
			runs.set(total + i, []);
			listed.push(total + i);
		}
		runs.get(open.get(pid)).push(i);
		runOf.set(i, open.get(pid));
	}
}

const isRun = item => item >= total;
const firstCall = item => isRun(item) ? item - total : item;
const rootOf = item => root[firstCall(item)];
const begin = i => rows[i][BEGIN] + (rows[i][DEPTH] ? rows[root[i]][BEGIN] : 0);
const level = item => isRun(item) ? 0 : rows[item][DEPTH] + runOf.has(root[item]);
const hasMore = item => isRun(item) || end[item] > item + 1;
const above = item => isRun(item) ? -1 : parent[item] >= 0 ? parent[item] : runOf.get(item) ?? -1;

/* Text */

function formatNs(ns) {
	if (ns < 1e6)
		return (ns / 1e3).toFixed(1) + ' us';
	return ns < 1e9 ? (ns / 1e6).toFixed(1) + ' ms' : (ns / 1e9).toFixed(1) + ' s';
}

const formatNumber = number => number.toLocaleString('en-US');
const formatCount = (number, what) => `${formatNumber(number)} ${what}${number === 1 ? '' : 's'}`;
const threadOf = i => `${rows[root[i]][TASK]}[${rows[root[i]][PID]}]`;
const describe = i => rows[i][NAME] + rows[i][TEXT];
/* The call as in the trace, where a system call has the name of its function. */
const recorded = row => row[RECORDED] ? (row[SYSCALL] ? '' : row[NAME]) + row[RECORDED] : '';
const firstBegin = () => roots.length ? rows[roots[0]][BEGIN] : 0;
const formatBegin = item => ((begin(firstCall(item)) - firstBegin()) / 1e9).toFixed(6);

function make(tag, name, text) {
	const element = document.createElement(tag);

	if (name)
		element.className = name;
	if (text !== undefined)
		element.textContent = text;
	return element;
}

/* The arguments, and the result with " = ", so that a narrow row cuts the arguments alone */
function splitText(i) {
	const text = rows[i][TEXT], at = text.lastIndexOf(') = ');

	return at < 0 ? [text, ''] : [text.slice(0, at + 1), text.slice(at + 1)];
}

/* Filter */

const errorRoots = new Set();

function isSelected(item) {
	const thread = get('thread').value;

	if (thread && rows[rootOf(item)][PID] !== Number(thread))
		return false;
	if (!get('only-errors').checked)
		return true;
	return isRun(item) ? runs.get(item).some(i => errorRoots.has(i)) : errorRoots.has(item);
}

/* The first of nested calls that returned an error. The others are found in it. */
function isError(i, inner) {
	if (!rows[i][ERROR])
		return false;
	return parent[i] < 0 || (inner && !rows[root[i]][ERROR] && !rows[parent[i]][ERROR]);
}

function findErrors() {
	const inner = get('inner-errors').checked, thread = get('thread').value;

	errors = [];
	errorRoots.clear();
	for (const from of roots) {
		if (thread && rows[from][PID] !== Number(thread))
			continue;
		for (let i = from; i < (inner ? end[from] : from + 1); i++) {
			if (!isError(i, inner))
				continue;
			errors.push(i);
			errorRoots.add(from);
		}
	}
}

/* The time line of all that are shown: [begin, duration] */
let timeLine = [0, 1];

function findTimeLine() {
	const thread = get('thread').value;
	let from = Infinity, to = -Infinity;

	for (const i of roots) {
		if (thread && rows[i][PID] !== Number(thread))
			continue;
		from = Math.min(from, rows[i][BEGIN]);
		to = Math.max(to, rows[i][BEGIN] + rows[i][NS]);
	}
	timeLine = to > from ? [from, to - from] : [0, 1];
}
