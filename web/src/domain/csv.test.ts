// Proves DIRECT 06, BOOKS 01
import { expect, it } from 'vitest'
import { euros, timeOf, toCsv } from './csv.ts'

it('a moment is written in the time zone of the device', () => {
  const written = timeOf('2026-12-31T23:30:00.123+00:00')
  expect(written).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  // A time without a zone is local.
  expect(new Date(written).toISOString()).toBe('2026-12-31T23:30:00.000Z')
})

it.each([
  ['plain', 'plain'],
  ['a, b', '"a, b"'],
  ['she said "yes"', '"she said ""yes"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', `"'=1+1"`],
  ['+49 30', `"'+49 30"`],
  ['-2', `"'-2"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\tcmd', `"'\tcmd"`],
  ['\r=1', `"'\r'=1"`],
  [' =1', `"' =1"`],
  ['＝1', `"'＝1"`],
  ['a=b', 'a=b'],
  ['a; b', '"a; b"'],
  // A spreadsheet in another language may split this cell at a separator within the text, even within quotes.
  ['a;=1+1', `"a;'=1+1"`],
  ['a, -1', `"a,' -1"`],
  ['a;"=1"', `"a;'""=1"""`],
  ['a\n=1;+2', `"a\n'=1;'+2"`],
  [7, '7'],
  [euros(25.5), '25.50'],
  [euros(-4.4), '-4.40'],
  [euros(null), ''],
  [null, ''],
])('writes %j as %s', (cell, written) => {
  expect(toCsv([[cell, 'end']])).toBe(`\u{FEFF}${written},end\r\n`)
})

it('where decimals have commas, semicolons separate cells', () => {
  const cells = ['a, b', 'c; d', 'a,=1', 12.5, 1200, euros(-4.4), '1.5', null]
  expect(toCsv([cells], 'de')).toBe(`\u{FEFF}"a, b";"c; d";"a,'=1";12,5;1200;-4,40;1.5;\r\n`)
})
