// SPDX-License-Identifier: GPL-2.0
/* Errors */

function stepError(forward) {
	const i = step(errors, forward);

	if (i >= 0)
		jumpToError(i);
}

function markError() {
	get('errors').querySelectorAll('[aria-current]').forEach(
		button => button.removeAttribute('aria-current'));
	const button = get(`error-${current}`);

	if (!button)
		return;
	button.setAttribute('aria-current', true);
	button.scrollIntoView({ block: 'nearest' });
}

/* The texts among the arguments, such as a path, say most in a narrow list. */
function describeBriefly(i) {
	const args = splitText(i)[0], texts = args.match(/"(?:[^"\\]|\\.)*"/g);

	return rows[i][NAME] + (texts ? ` ${texts.join(', ')}` : args);
}

function makeError(i) {
	const item = make('li'), button = make('button');

	button.id = `error-${i}`;
	button.append(make('span', 'start', `${formatBegin(i)} `),
		      make('span', 'error', rows[i][ERROR]), ` ${describeBriefly(i)}`);
	button.title = `${formatBegin(i)} s  ${threadOf(i)}\n${describe(i)}`;
	button.onclick = () => {
		jumpToError(i);
		get('list').focus({ preventScroll: true });
	};
	item.append(button);
	return item;
}

function listErrors() {
	const list = get('errors');

	get('errors-title').textContent = formatCount(errors.length, 'error');
	get('show-errors').textContent = formatCount(errors.length, 'error');
	list.replaceChildren();
	if (get('panel').hidden)
		return;
	list.append(...errors.slice(0, MAX_LISTED).map(makeError));
	if (errors.length > MAX_LISTED)
		list.append(make('li', 'more', `${formatNumber(errors.length - MAX_LISTED)} more: the keys ` +
			    'n and p go there'));
	markError();
}

function showPanel(show) {
	get('panel').hidden = !show;
	get('show-errors').setAttribute('aria-expanded', show);
	listErrors();
}

/* Search */

function findWords() {
	words = rows.map(row => `${row[NAME]}${row[TEXT]}\n${recorded(row)}`.toLowerCase());
}

function findHits() {
	const text = get('search').value.toLowerCase();

	if (text && !words)
		findWords();
	isHit.fill(0);
	hits = [];
	for (const from of text ? roots : []) {
		if (!isSelected(runOf.get(from) ?? from))
			continue;
		for (let i = from; i < end[from]; i++)
			if (words[i].includes(text))
				hits.push(i);
	}
	hits.forEach(i => isHit[i] = 1);
	showCount();
}

function showCount() {
	const at = hits.indexOf(current);

	if (!get('search').value)
		get('count').textContent = '';
	else if (at < 0)
		get('count').textContent = formatCount(hits.length, 'call');
	else
		get('count').textContent = `${formatNumber(at + 1)} of ${formatCount(hits.length, 'call')}`;
}

function stepHit(forward) {
	const i = step(hits, forward);

	if (i < 0)
		return;
	unfoldAbove(i);
	update();
	go(i);
}

/* Head and tools */

function addHead(name, value, className) {
	const pair = make('div', name === 'command' ? 'command' : '');

	pair.append(make('dt', '', name), make('dd', className, value));
	get('head').append(pair);
}

function showHead() {
	for (const name of ['command', 'host', 'kernel', 'date'])
		if (head[name])
			addHead(name, head[name]);
	addHead('duration', formatNs(head.duration_ns));
	addHead('calls', formatNumber(head.calls));
	addHead('errors', formatNumber(head.errors), head.errors ? 'error' : '');
	addHead('lost events', formatNumber(head.lost), head.lost ? 'error' : '');
	if (!head.complete)
		addHead('trace', 'its end is missing', 'error');
	if (head.left_out)
		addHead('not on this page', formatCount(head.left_out, 'more root'), 'error');
	if (head.command)
		document.title = `${head.command} – fgraph`;
}

function addThreads() {
	const names = new Map();

	roots.forEach(i => names.set(rows[i][PID], threadOf(i)));
	for (const [pid, name] of names) {
		const option = make('option', '', name);

		option.value = pid;
		get('thread').append(option);
	}
	if (names.size < 2) {
		get('thread').hidden = true;
		get('calls').classList.add('one-thread');
	}
}

function filter() {
	findErrors();
	findTimeLine();
	findHits();
	listErrors();
	update();
	reveal(current);
}

function move(to) {
	if (shown.length)
		go(shown[Math.min(Math.max(to, 0), shown.length - 1)]);
}

/* The key left folds the selected row, or goes to the one that encloses it. */
function foldOrLeave() {
	if (current >= 0 && hasMore(current) && unfolded[current])
		toggle(current);
	else if (current >= 0 && above(current) >= 0)
		go(above(current));
}

function unfoldOrEnter() {
	if (current < 0 || !hasMore(current))
		return;
	if (unfolded[current])
		move(shown.indexOf(current) + 1);
	else
		toggle(current);
}

function useKeyOfList(key) {
	const place = shown.indexOf(current), page = Math.floor(get('list').clientHeight / ROW_HEIGHT);
	const moves = { ArrowDown: place + 1, ArrowUp: place - 1, PageDown: place + page,
			PageUp: place - page, Home: 0, End: shown.length - 1 };

	if (key in moves)
		move(moves[key]);
	else if (key === 'ArrowRight')
		unfoldOrEnter();
	else if (key === 'ArrowLeft')
		foldOrLeave();
	else if ((key === ' ' || key === 'Enter') && current >= 0)
		toggle(current);
	else
		return false;
	return true;
}

function useKey(event) {
	const tag = event.target.tagName, inList = event.target === get('list') || tag === 'BODY';
	let used = true;

	if (event.ctrlKey || event.altKey || event.metaKey || tag === 'SELECT' ||
	    (tag === 'INPUT' && event.target.type === 'search'))
		return;
	if (event.key === 'n' || event.key === 'p')
		stepError(event.key === 'n');
	else if (event.key === '/')
		get('search').focus();
	else
		used = inList && useKeyOfList(event.key);
	if (used)
		event.preventDefault();
}

function useSearchKey(event) {
	if (event.key === 'Enter')
		stepHit(!event.shiftKey);
	else if (event.key === 'Escape')
		get('list').focus({ preventScroll: true });
	else
		return;
	event.preventDefault();
}

function start() {
	get('search').oninput = () => {
		findHits();
		draw();
	};
	get('search').onkeydown = useSearchKey;
	get('next-hit').onclick = () => stepHit(true);
	get('previous-hit').onclick = () => stepHit(false);
	get('next-error').onclick = () => stepError(true);
	get('previous-error').onclick = () => stepError(false);
	for (const id of ['thread', 'only-errors', 'inner-errors'])
		get(id).onchange = filter;
	get('unfold-all').onclick = () => foldAll(1);
	get('fold-all').onclick = () => foldAll(0);
	get('show-errors').onclick = () => showPanel(get('panel').hidden);
	get('show-keys').onclick = () => {
		get('keys').hidden = !get('keys').hidden;
		get('show-keys').setAttribute('aria-expanded', !get('keys').hidden);
		drawIfNeeded();
	};
	get('list').onscroll = drawIfNeeded;
	window.onresize = drawIfNeeded;
	document.onkeydown = useKey;
}

link();
makeRuns();
showHead();
addThreads();
start();
filter();
showPanel(errors.length > 0);
showDetails();
