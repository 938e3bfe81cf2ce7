#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# test-report.py TRACE DIR: opens what fgraph report prints of a trace in Chromium: the page,
# which is folded and searched, and the JSON in speedscope, which DIR/node_modules contains.
# The screenshots are in DIR, to be looked at. Prints "ok NAME" or "not ok NAME".
# Part of make test-report.

import os
import re
import subprocess
import sys
import time

from selenium import webdriver
from selenium.webdriver.common.by import By

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LINES = 16000


def report(program, trace, form, file):
    with open(file, 'wb') as output:
        subprocess.run([program, 'report', f'--{form}', trace], stdout=output, check=True)
    return file


def start_browser():
    options = webdriver.ChromeOptions()
    for option in ('--headless=new', '--no-sandbox', '--window-size=1400,900',
                   '--allow-file-access-from-files'):
        options.add_argument(option)
    return webdriver.Chrome(options=options)


def check_page(browser, page, directory):
    with open(page, encoding='utf-8') as text:
        name = re.search(r'class="error">[^<]*\((E[A-Z]+)\)', text.read())[1]
    browser.get(f'file://{page}')
    calls = len(browser.find_elements(By.CLASS_NAME, 'call'))
    assert calls > 5000, calls
    details = browser.find_elements(By.TAG_NAME, 'details')

    def unfolded():
        return browser.execute_script(
            'return document.querySelectorAll("details[open]").length')
    browser.find_element(By.ID, 'close').click()
    assert unfolded() == 0
    browser.find_element(By.ID, 'open').click()
    assert unfolded() == len(details)
    browser.find_element(By.ID, 'close').click()
    browser.find_element(By.ID, 'search').send_keys(name)
    hits = browser.find_elements(By.CLASS_NAME, 'hit')
    shown = browser.find_element(By.ID, 'count').text
    assert hits and shown == f'{len(hits)} calls', shown
    # The callers of a hit are unfolded, and errors are red.
    assert all(hit.is_displayed() for hit in hits)
    error = hits[0].find_element(By.CLASS_NAME, 'error')
    assert re.match(r'rgba\(204, 0, 0', error.value_of_css_property('color'))
    browser.save_screenshot(f'{directory}/page.png')
    print(f'# {calls} calls, {len(hits)} with {name}')


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
        part.writelines(whole.readlines()[:LINES])
    program = f'{directory}/fgraph'
    page = report(program, short, 'html', f'{directory}/page.html')
    profile = report(program, short, 'json', f'{directory}/profile.json')
    browser = start_browser()
    for name, check, file in (('page', check_page, page),
                              ('speedscope', check_speedscope, profile)):
        try:
            check(browser, file, directory)
            print(f'ok host report in a browser: {name}')
        except AssertionError as e:
            print(f'# {e}\nnot ok host report in a browser: {name}')
    browser.quit()


main()
