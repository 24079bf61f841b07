// Proves DIRECT 06, BOOKS 01
import { expect, it } from 'vitest'
import { euros, toCsv } from './csv.ts'

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
  ['\r=1', `"'\r=1"`],
  [' =1', `"' =1"`],
  ['＝1', `"'＝1"`],
  ['a=b', 'a=b'],
  [7, '7'],
  [euros(25.5), '25.50'],
  [euros(-4.4), '-4.40'],
  [euros(null), ''],
  [null, ''],
])('writes %j as %s', (cell, written) => {
  expect(toCsv([[cell, 'end']])).toBe(`\u{FEFF}${written},end\r\n`)
})
