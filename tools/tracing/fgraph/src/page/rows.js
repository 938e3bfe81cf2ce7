// SPDX-License-Identifier: GPL-2.0
/* Rows: only those in view are in the document. */

function addCalls(items, from, to) {
	for (let i = from; i < to; i = unfolded[i] ? i + 1 : end[i])
		items.push(i);
}

function findShown() {
	const items = [];

	for (const item of listed) {
		if (!isSelected(item))
			continue;
		if (!isRun(item)) {
			addCalls(items, item, end[item]);
			continue;
		}
		items.push(item);
		if (unfolded[item])
			runs.get(item).forEach(i => addCalls(items, i, end[i]));
	}
	shown = Int32Array.from(items);
}

function makeBar(item) {
	const bar = make('span', 'bar'), part = make('i');
	let [from, length] = timeLine, at = begin(firstCall(item)), ns;

	if (isRun(item)) {
		const last = runs.get(item).at(-1);

		ns = begin(last) + rows[last][NS] - at;
	} else {
		ns = rows[item][NS];
		if (rows[item][DEPTH])
			[from, length] = [begin(root[item]), rows[root[item]][NS] || 1];
	}
	const left = Math.min(Math.max((at - from) / length, 0), 1);

	part.style.left = `min(${left * 100}%, 100% - 2px)`;
	part.style.width = `${Math.min(ns / length, 1 - left) * 100}%`;
	bar.append(part);
	return bar;
}

function makeFold(item) {
	if (!hasMore(item))
		return make('span', 'gap');
	const button = make('button', 'fold', unfolded[item] ? '▾' : '▸');

	button.tabIndex = -1;
	button.setAttribute('aria-expanded', Boolean(unfolded[item]));
	button.setAttribute('aria-label', unfolded[item] ? 'fold' : 'unfold');
	button.onclick = event => {
		event.stopPropagation();
		select(item);
		toggle(item);
	};
	return button;
}

function addText(cell, i) {
	const [args, result] = splitText(i);

	cell.append(make('span', 'name', rows[i][NAME]), make('span', 'args', args));
	if (result)
		cell.append(make('span', rows[i][ERROR] ? 'result error' : 'result', result));
	if (rows[i][NOTE])
		cell.append(make('span', 'note', `  ${rows[i][NOTE]}`));
}

function makeCall(item) {
	const cell = make('span', 'call');

	cell.style.paddingLeft = `${Math.min(level(item), MAX_INDENT) * 14}px`;
	cell.append(makeFold(item));
	if (isRun(item))
		cell.append(make('span', 'name',
				 formatCount(runs.get(item).length, 'call') + ' of interrupts'));
	else
		addText(cell, item);
	return cell;
}

function classOf(item) {
	if (isRun(item))
		return 'row quiet';
	return 'row' + (rows[item][DEPTH] ? ' inner' : ' root') + (rows[item][ERROR] ? ' failed' : '') +
	       (runOf.has(item) ? ' quiet' : '') + (isHit[item] ? ' hit' : '');
}

function makeRow(item, place) {
	const row = make('div', classOf(item));
	const ns = isRun(item) ? runs.get(item).reduce((sum, i) => sum + rows[i][NS], 0) : rows[item][NS];

	row.id = `row-${item}`;
	row.style.top = `${place * ROW_HEIGHT}px`;
	row.setAttribute('role', 'treeitem');
	row.setAttribute('aria-level', level(item) + 1);
	if (hasMore(item))
		row.setAttribute('aria-expanded', Boolean(unfolded[item]));
	row.append(make('span', 'start', formatBegin(item)), make('span', 'ns', formatNs(ns)),
		   makeBar(item), make('span', 'task', level(item) ? '' : threadOf(firstCall(item))),
		   makeCall(item));
	row.onclick = () => select(item);
	row.ondblclick = () => toggle(item);
	return row;
}

let drawnFrom = 0, drawnTo = 0;

/* Draw the rows in view, and some more, so that a short way needs no new ones. */
function draw() {
	const list = get('list'), made = [];
	const from = Math.floor(list.scrollTop / ROW_HEIGHT);

	drawnFrom = Math.max(from - MARGIN, 0);
	drawnTo = Math.min(from + Math.ceil(list.clientHeight / ROW_HEIGHT) + MARGIN, shown.length);
	for (let place = drawnFrom; place < drawnTo; place++)
		made.push(makeRow(shown[place], place));
	get('space').replaceChildren(...made);
	markCurrent();
}

function drawIfNeeded() {
	const list = get('list'), from = Math.floor(list.scrollTop / ROW_HEIGHT);
	const to = Math.ceil((list.scrollTop + list.clientHeight) / ROW_HEIGHT);

	if (from < drawnFrom || Math.min(to, shown.length) > drawnTo)
		draw();
}

function update() {
	findShown();
	get('space').style.height = `${shown.length * ROW_HEIGHT}px`;
	draw();
}

function toggle(item) {
	if (!hasMore(item))
		return;
	unfolded[item] ^= 1;
	update();
	get('list').focus({ preventScroll: true });
}

function foldAll(open) {
	unfolded.fill(open, 0, total);
	if (!open)
		unfolded.fill(0);
	while (!open && current >= 0 && above(current) >= 0)
		current = above(current);
	update();
	reveal(current);
	showDetails();
}

/* The selected call */

function markCurrent() {
	const list = get('list'), row = get(`row-${current}`);

	list.querySelectorAll('.current').forEach(element => {
		element.classList.remove('current');
		element.removeAttribute('aria-selected');
	});
	if (!row) {
		list.removeAttribute('aria-activedescendant');
		return;
	}
	row.classList.add('current');
	row.setAttribute('aria-selected', true);
	list.setAttribute('aria-activedescendant', row.id);
}

function addDetail(name, text) {
	const line = make('div');

	line.append(make('b', '', name), text);
	get('details').append(line);
}

const callersOf = i => parent[i] < 0 ? [] : [...callersOf(parent[i]), rows[parent[i]][NAME]];

/* The calls in a call of a chain where the chain goes on. Another one may begin after it. */
function chainIn(i) {
	const chain = [];

	for (let inner = i + 1; inner < end[i] && rows[inner][CHAIN] !== BEGINS; inner++)
		if (rows[inner][CHAIN])
			chain.push(inner);
	return chain;
}

function showCall(i) {
	const row = rows[i], callers = callersOf(i), origin = row[CHAIN] ? chainIn(i).at(-1) : undefined;

	addDetail('call', describe(i));
	if (row[RECORDED])
		addDetail('recorded', recorded(row));
	if (callers.length)
		addDetail('called by', callers.join(' → '));
	if (origin !== undefined)
		addDetail('error from', describe(origin));
	addDetail('when', `${threadOf(i)}  at ${formatBegin(i)} s, took ${formatNs(row[NS])}` +
		  (row[NOTE] ? `, ${row[NOTE]}` : '') +
		  (end[i] > i + 1 ? `, ${formatCount(end[i] - i - 1, 'call')} in it` : ''));
}

function showDetails() {
	get('details').replaceChildren();
	if (current < 0)
		addDetail('call', 'select one: click, or use the arrow keys');
	else if (isRun(current))
		addDetail('interrupts', 'calls that are in no system call: of interrupts and exceptions, ' +
			  'or of a system call whose begin is not in the trace');
	else
		showCall(current);
}

function select(item) {
	current = item;
	markCurrent();
	showDetails();
	showCount();
}

/* Scroll to a row that is shown, so that it has some rows above and below. */
function reveal(item) {
	const list = get('list'), place = shown.indexOf(item), top = place * ROW_HEIGHT;
	const room = 3 * ROW_HEIGHT;

	if (place < 0)
		return;
	if (top < list.scrollTop + room)
		list.scrollTop = top - room;
	else if (top > list.scrollTop + list.clientHeight - room - ROW_HEIGHT)
		list.scrollTop = top - list.clientHeight + room + ROW_HEIGHT;
	drawIfNeeded();
}

function go(item) {
	select(item);
	reveal(item);
	markCurrent();
}

function unfoldAbove(item) {
	for (let up = above(item); up >= 0; up = above(up))
		unfolded[up] = 1;
}

/* Jump to an error, and show the calls that it came from. */
function jumpToError(i) {
	chainIn(i).forEach(unfoldAbove);
	unfoldAbove(i);
	update();
	get('list').scrollTop = (shown.indexOf(i) - 5) * ROW_HEIGHT;
	drawIfNeeded();
	go(i);
	markError();
}

/* The order in the list: the time of the root, then the order in it */
function isAfter(a, b) {
	if (root[a] === root[b])
		return a > b;
	return rows[root[a]][BEGIN] - rows[root[b]][BEGIN] > 0 ||
	       (rows[root[a]][BEGIN] === rows[root[b]][BEGIN] && a > b);
}

/* The next one of a list after the selected call, or the one before it */
function step(items, forward) {
	if (!items.length)
		return -1;
	const at = current < 0 ? -1 : firstCall(current);

	if (forward)
		return at < 0 ? items[0] : items.find(i => isAfter(i, at)) ?? items[0];
	return at < 0 ? items.at(-1) : items.findLast(i => isAfter(at, i)) ?? items.at(-1);
}
