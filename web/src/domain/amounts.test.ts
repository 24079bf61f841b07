import { expect, test } from 'vitest'
import { amountIn, amountsIn, decimalSignOf } from './amounts.ts'

test.each<[string, number | null]>([
  ...['1 234,56', '1\u202f234,56', '1\u00a0234,56', '1\u2009234,56', '1.234,56', '1,234.56'].map(
    (text): [string, number] => [text, 1234.56],
  ),
  ...[
    "1'234.56",
    '1’234,56',
    '€ 1.234,56',
    '1 234,56 €',
    'EUR 1,234.56',
    '1.234,56\u00a0EUR',
    '1\u200b234,56',
  ].map((text): [string, number] => [text, 1234.56]),
  ["1'234", 1234],
  ['1 234', 1234],
  ['1.234.567', 1234567],
  ['1.234.567,8', 1234567.8],
  ['10.8333333', 10.8333333],
  ['0.825', 0.825],
  ["1'234.567", 1234.567],
  ['.99', 0.99],
  [',99 €', 0.99],
  ["1'99", 1.99],
  ['12', 12],
  ['12,5', 12.5],
  ['12,– €', 12],
  ['12.-', 12],
  ['12€50', 12.5],
  ['CHF 12.50', 12.5],
  ['19,99 € / Monat', 19.99],
  ['19.99 per month', 19.99],
  ['1’200', 1200],
  ['−5.00', -5],
  ['-€5', -5],
  ['€ -5', -5],
  ['１２，５０', 12.5],
  ['10.825', null],
  ['1,234', null],
  ['12 34', null],
  ['1.23,45', null],
  ['2 x 9.99', null],
  ['9.99 + 1', null],
  ['5.00-', null],
  ['12:50', null],
  ['1e3', null],
  ['about 12', null],
  ['-', null],
  ['', null],
])('%j is the amount %s', (text, amount) => expect(amountIn(text)).toBe(amount))

test('an amount with two readings has both, or the one that its column allows', () => {
  expect(amountsIn('10.825')).toEqual([10825, 10.825])
  expect([amountIn('10.825', ','), amountIn('10.825', '.'), amountIn('-1,234', '.')]).toEqual([
    10825, 10.825, -1234,
  ])
  // Even in a column with decimal commas, a cell keeps its decimal point if it can be read in no other way.
  expect(amountIn('10.8333333', ',')).toBe(10.8333333)
})

test.each<[string[], string | null]>([
  [['1,234', '19,99'], ','],
  [['10.825', '', '12', '5.4'], '.'],
  [['1.234.567', '1.234'], ','],
  [['10.825', '12', "1'234"], null],
  [['19,99', '19.99'], null],
])('the decimal sign of %j is %s', (texts, sign) => expect(decimalSignOf(texts)).toBe(sign))
