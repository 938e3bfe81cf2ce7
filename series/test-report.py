#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# test-report.py TRACE DIR: opens what fgraph report prints of a trace in Chromium: the page,
# which is folded, searched and filtered, a page of 100,000 calls, whose times are printed, and
# the JSON in speedscope, which DIR/node_modules contains.
# The screenshots are in DIR, to be looked at. Prints "ok NAME" or "not ok NAME".
# Part of make test-report.

import json
import os
import re
import subprocess
import sys
import time

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LINES = 16000
LARGE = 100000
OTHER_THREAD = 99999


def report(program, trace, form, file):
    with open(file, 'wb') as output:
        subprocess.run([program, 'report', f'--{form}', trace], stdout=output, check=True)
    return file


def write_large(trace, calls, file):
    """Repeat the lines of a trace, each time later, until it has so many calls."""
    with open(trace, encoding='utf-8') as text:
        lines = text.read().splitlines()
    head = [line for line in lines if line.startswith('#')]
    times = [re.match(r' *(\d+)\.(\d{6}) (.*)$', line) for line in lines]
    times = [(int(found[1] + found[2]), found[3]) for found in times if found]
    span = times[-1][0] - times[0][0] + 1000
    with open(file, 'w', encoding='utf-8') as output:
        print(*head, sep='\n', file=output)
        for i in range(-(-LARGE // calls)):
            for us, rest in times:
                us += i * span
                print(f'{us // 1000000:5}.{us % 1000000:06} {rest}', file=output)
        print('# lost: 0\n# end', file=output)
    return file


def rename(line):
    """Let a line be of another thread."""
    return re.sub(r'-\d+( +\|)', rf'-{OTHER_THREAD}\1', line, count=1)


def start_browser():
    options = webdriver.ChromeOptions()
    for option in ('--headless=new', '--no-sandbox', '--window-size=1400,900',
                   '--allow-file-access-from-files'):
        options.add_argument(option)
    options.set_capability('goog:loggingPrefs', {'browser': 'ALL'})
    return webdriver.Chrome(options=options)


def press(browser, *keys):
    """Press keys where the focus is."""
    ActionChains(browser).send_keys(*keys).perform()


def rows(browser, kind=''):
    """The rows in view, and some around them"""
    return browser.find_elements(By.CSS_SELECTOR, f'#list .row{kind}')


def shown(browser):
    """How many rows there are, of which only those in view are elements"""
    height = browser.execute_script('return document.getElementById("space").clientHeight')
    return height // rows(browser)[0].size['height']


def selected(browser):
    return browser.find_element(By.CSS_SELECTOR, '#list .current')


def count(browser):
    return browser.find_element(By.ID, 'count').text


def is_in_view(browser, row):
    return browser.execute_script("""
        const row = arguments[0].getBoundingClientRect();
        const list = document.getElementById('list').getBoundingClientRect();
        return row.top >= list.top && row.bottom <= list.bottom;""", row)


def read_page(page):
    """The data in a page"""
    with open(page, encoding='utf-8') as text:
        data = re.search(r'<script type="application/json"[^>]*>(.*?)</script>', text.read(), re.S)
    return json.loads(data[1])


def check_closed(browser, data):
    """At first each system call is a row, and so is each run of other calls."""
    roots = [call for call in data['calls'] if not call[0]]
    assert data['head']['command'] in browser.title
    text = browser.find_element(By.ID, 'head').text
    for name in ('command', 'host', 'kernel', 'date', 'duration', 'calls', 'errors'):
        assert name in text, text
    systems = sum(call[-1] for call in roots)
    assert systems <= shown(browser) <= len(roots), shown(browser)
    assert len(rows(browser)) < 200
    assert not rows(browser, '[aria-expanded=true]')
    # Bars are at their place in the time of all.
    lefts = [row.find_element(By.CSS_SELECTOR, '.bar i').location['x'] for row in rows(browser)]
    assert lefts[0] < lefts[-1] and lefts == sorted(lefts), lefts
    print(f'# {len(data["calls"])} calls, {systems} system calls, {shown(browser)} rows')


def check_fold(browser):
    folded = shown(browser)
    row = rows(browser, '[aria-expanded=false]')[0]
    row.find_element(By.TAG_NAME, 'button').click()
    assert shown(browser) > folded
    press(browser, Keys.ARROW_DOWN)
    assert selected(browser).get_attribute('aria-level') == '2'
    press(browser, Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    assert shown(browser) == folded
    browser.find_element(By.ID, 'unfold-all').click()
    assert shown(browser) > 10 * folded
    browser.find_element(By.ID, 'fold-all').click()
    assert shown(browser) == folded


def check_errors(browser, data):
    """The keys n and p go to the errors, and unfold the calls that they came from."""
    errors = data['head']['errors']
    items = browser.find_elements(By.CSS_SELECTOR, '#errors button')
    assert errors and len(items) == min(errors, 2000), len(items)
    press(browser, 'n')
    first = selected(browser)
    error = first.find_element(By.CLASS_NAME, 'error')
    assert is_in_view(browser, first)
    assert re.match(r' ?= -\d+ \(E[A-Z]+\)', error.text), error.text
    assert re.match(r'rgba\(179, 19, 26', error.value_of_css_property('color'))
    name = re.search(r'\((E[A-Z]+)\)', error.text)[1]
    details = browser.find_element(By.ID, 'details').text
    assert name in details
    if 'error from' in details:
        assert first.get_attribute('aria-expanded') == 'true'
        inner = first.find_elements(By.XPATH, 'following-sibling::*')
        assert any(name in row.text for row in inner)
    identity = first.get_attribute('id')
    press(browser, 'n')
    assert errors == 1 or selected(browser).get_attribute('id') != identity
    press(browser, 'p')
    assert selected(browser).get_attribute('id') == identity
    items[-1].click()
    assert is_in_view(browser, selected(browser))


def check_search(browser, data):
    """A search counts the calls that contain a text, and goes through them."""
    text = next(call[3] for call in data['calls'] if call[0] > 2).lower()
    expected = sum(text in f'{call[3]}{call[4]}{call[5] or ""}'.lower() for call in data['calls'])
    press(browser, Keys.HOME, '/')
    press(browser, text)
    plural = '' if expected == 1 else 's'
    assert count(browser) == f'{expected:,} call{plural}', (count(browser), expected)
    for at in (1, 2 if expected > 1 else 1):
        press(browser, Keys.ENTER)
        assert count(browser).startswith(f'{at} of '), count(browser)
        assert is_in_view(browser, selected(browser))
        assert text in selected(browser).text.lower()
    ActionChains(browser).key_down(Keys.SHIFT).send_keys(Keys.ENTER).key_up(Keys.SHIFT).perform()
    assert count(browser).startswith('1 of '), count(browser)
    print(f'# {expected} calls with {text}')


def check_filters(browser, data):
    """The threads, and only errors"""
    roots = [call for call in data['calls'] if not call[0]]
    pids = sorted({str(call[9]) for call in roots})
    thread = Select(browser.find_element(By.ID, 'thread'))
    assert sorted(option.get_attribute('value') for option in thread.options) == ['', *pids]
    browser.find_element(By.ID, 'fold-all').click()
    assert str(OTHER_THREAD) in pids
    counts = []
    for pid in pids:
        thread.select_by_value(pid)
        counts.append(shown(browser))
        assert all(f'[{pid}]' in row.text for row in rows(browser))
    thread.select_by_value('')
    assert sum(counts) == shown(browser), counts
    browser.find_element(By.ID, 'only-errors').click()
    assert shown(browser) <= data['head']['errors']
    browser.find_element(By.ID, 'only-errors').click()


def use_colors(browser, scheme):
    browser.execute_cdp_cmd('Emulation.setEmulatedMedia', {
        'features': [{'name': 'prefers-color-scheme', 'value': scheme}]})
    return browser.find_element(By.TAG_NAME, 'body').value_of_css_property('background-color')


def check_page(browser, page, directory):
    data = read_page(page)
    use_colors(browser, 'light')
    browser.get(f'file://{page}')
    check_closed(browser, data)
    browser.save_screenshot(f'{directory}/page-closed.png')
    check_fold(browser)
    check_errors(browser, data)
    press(browser, Keys.HOME, 'n')
    browser.save_screenshot(f'{directory}/page-error.png')
    check_search(browser, data)
    browser.save_screenshot(f'{directory}/page-search.png')
    check_filters(browser, data)
    light = use_colors(browser, 'light')
    assert use_colors(browser, 'dark') != light
    browser.save_screenshot(f'{directory}/page-dark.png')
    use_colors(browser, 'light')
    log = browser.get_log('browser')
    assert not log, log


def measure(browser, script):
    """How many ms a script takes, until its effect is on the screen"""
    return browser.execute_async_script(f"""
        const done = arguments[0], began = performance.now();
        {script};
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));""")


def check_large(browser, page, directory):
    """Times that are for a reader: they depend on the machine."""
    began = time.monotonic()
    browser.get(f'file://{page}')
    opened = time.monotonic() - began
    text = read_page(page)['calls'][5][3]
    search = f"""
        const search = document.getElementById('search');
        search.value = '{text}';
        search.dispatchEvent(new Event('input'))"""
    enter = 'document.getElementById("next-hit").click()'
    unfold = 'document.getElementById("unfold-all").click()'
    first, again, step, all_open = (measure(browser, script)
                                    for script in (search, search, enter, unfold))
    assert shown(browser) > 50000 and len(rows(browser)) < 200
    browser.save_screenshot(f'{directory}/page-large.png')
    print(f'# {os.path.getsize(page) / 1e6:.1f} MB: open {opened:.2f} s, first search '
          f'{first:.0f} ms, next {again:.0f} ms, step {step:.0f} ms, unfold all {all_open:.0f} ms, '
          f'{count(browser)}')


def check_speedscope(browser, profile, directory):
    index = f'{directory}/node_modules/speedscope/dist/release/index.html'
    browser.get(f'file://{index}')
    time.sleep(2)
    # The page has no input before the button is used.
    browser.execute_script('''
        const create = document.createElement.bind(document);
        document.createElement = name => {
            const element = create(name);
            if (name === "input") { element.id = "file"; document.body.append(element); }
            return element;
        }''')
    inputs = browser.find_elements(By.CSS_SELECTOR, 'input[type=file]')
    assert inputs, 'no input for a file'
    inputs[0].send_keys(profile)
    time.sleep(5)
    text = browser.find_element(By.TAG_NAME, 'body').text
    assert 'Something went wrong' not in text, text
    assert os.path.basename(profile) in browser.title, browser.title
    browser.save_screenshot(f'{directory}/speedscope.png')


def main():
    trace, directory = (os.path.abspath(arg) for arg in sys.argv[1:])
    subprocess.run(['make', '-s', '-C', f'{TOP}/tools/tracing/fgraph', f'OUTPUT={directory}/',
                    'CC=gcc'], check=True)
    short = f'{directory}/short.trace'
    with open(trace, encoding='utf-8') as whole, open(short, 'w', encoding='utf-8') as part:
        lines = whole.readlines()[:LINES]
        part.writelines(lines[:LINES // 2])
        part.writelines(rename(line) for line in lines[LINES // 2:])
    program = f'{directory}/fgraph'
    page = report(program, short, 'html', f'{directory}/page.html')
    calls = len(read_page(page)['calls'])
    large = report(program, write_large(short, calls, f'{directory}/large.trace'), 'html',
                   f'{directory}/large.html')
    profile = report(program, short, 'json', f'{directory}/profile.json')
    browser = start_browser()
    for name, check, file in (('page', check_page, page),
                              ('large page', check_large, large),
                              ('speedscope', check_speedscope, profile)):
        try:
            check(browser, file, directory)
            print(f'ok host report in a browser: {name}')
        except AssertionError as e:
            print(f'# {e}\nnot ok host report in a browser: {name}')
    browser.quit()


main()
