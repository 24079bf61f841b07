// Proves DIRECT 06, BOOKS 01
import { expect, it } from 'vitest'
import { toCsv } from './csv.ts'

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
  [-4.4, '-4.4'],
  [null, ''],
])('writes %j as %s', (cell, written) => {
  expect(toCsv([[cell, 'end']])).toBe(`\u{FEFF}${written},end\r\n`)
})
