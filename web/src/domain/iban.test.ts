import { expect, it } from 'vitest'
import { formatIban, toIban } from './iban.ts'

it.each([
  ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
  ['  nl91-abna-0417-1643-00 ', 'NL91ABNA0417164300'],
  ['MT84MALT011000012345MTLCAST001S', 'MT84MALT011000012345MTLCAST001S'],
  ['DE88 3704 0044 0532 0130 00', null],
  ['DE89 3704 0044 0532 0130 0', null],
  ['XX89370400440532013000', null],
  ['', null],
])('reads %j as the account %s', (typed, iban) => {
  expect(toIban(typed)).toBe(iban)
})

it('is written in groups of four', () => {
  expect(formatIban('DE89370400440532013000')).toBe('DE89 3704 0044 0532 0130 00')
})
