// How an owner wants to be paid, and the QR code that a member's bank app reads.
// Proves DIRECT 01 02

import { toIban } from '@potluck/supabase/iban'
import { expect, test } from 'vitest'
import { creditTransferText } from './credit-transfer.ts'
import { formatIban } from './format-iban.ts'
import { readWish, type WishForm } from './wish.ts'

const TYPED = 'DE89 3704 0044 0532 0130 00'
const IBAN = 'DE89370400440532013000'

test.each([
  [TYPED, IBAN],
  ['  nl91-abna-0417-1643-00 ', 'NL91ABNA0417164300'],
  ['IBAN: DE89\u202f3704\u00a00044\u200b0532.0130.00', IBAN],
  ['DE89 3704 0044 0532 0130 00, DE89 3704 0044 0532 0130 00', null],
  ['MT84MALT011000012345MTLCAST001S', 'MT84MALT011000012345MTLCAST001S'],
  ['DE88 3704 0044 0532 0130 00', null],
  ['DE89 3704 0044 0532 0130 0', null],
  ['XX89370400440532013000', null],
  ['', null],
])('%j is read as the account %s', (typed, iban) => expect(toIban(typed)).toBe(iban))

test('an account is written in groups of four', () => expect(formatIban(IBAN)).toBe(TYPED))

const empty: WishForm = { kind: 'iban', iban: '', holder: '', link: '', note: '' }
const read = (typed: Partial<WishForm>) => readWish({ ...empty, ...typed })

test.each<[Partial<WishForm>, object]>([
  [
    { iban: TYPED.toLowerCase(), holder: ' Olivia Brandt ' },
    { iban: IBAN, holder: 'Olivia Brandt' },
  ],
  [{ kind: 'link', link: ' https://paypal.me/olivia ' }, { link: 'https://paypal.me/olivia' }],
  [{ kind: 'text', note: ' Cash, please. ' }, { note: 'Cash, please.' }],
])('how an owner is paid is read from %o', (typed, wish) =>
  expect(read(typed)).toEqual({ wish: { kind: typed.kind ?? 'iban', ...wish } }),
)

test.each<[Partial<WishForm>, string[]]>([
  [{ iban: 'DE88 3704 0044 0532 0130 00', holder: 'Olivia' }, ['iban']],
  [{ iban: TYPED }, ['holder']],
  [{}, ['iban', 'holder']],
  [{ kind: 'link', link: 'http://paypal.me/olivia' }, ['link']],
  [{ kind: 'link', link: 'javascript:alert(1)' }, ['link']],
  [{ kind: 'link', link: 'https://localhost' }, ['link']],
  [{ kind: 'link', link: `https://a.example/${'a'.repeat(500)}` }, ['link']],
  [{ kind: 'text', note: '  ' }, ['note']],
])('an owner cannot be paid as %o says', (typed, fields) => {
  const answer = read(typed)
  expect('problems' in answer && Object.keys(answer.problems)).toEqual(fields)
})

const transfer = { holder: 'Olivia Brandt', iban: IBAN, amount: 5, reference: 'PL-7F3K-2' }
const lines = (more: object) => creditTransferText({ ...transfer, ...more })?.split('\n') ?? []

test('a transfer has the lines of EPC069-12 in their order, and ends with the last that says something', () =>
  expect(creditTransferText(transfer)).toBe(
    'BCD\n002\n1\nSCT\n\nOlivia Brandt\nDE89370400440532013000\nEUR5.00\n\n\nPL-7F3K-2',
  ))

test.each([
  [0.01, 'EUR0.01'],
  [4.4, 'EUR4.40'],
  [999_999_999.99, 'EUR999999999.99'],
  [0, undefined],
  [-1, undefined],
  [0.001, undefined],
  [Number.NaN, undefined],
  [1e308, undefined],
])('a transfer of %d EUR says %s', (amount, line) => expect(lines({ amount })[7]).toBe(line))

test('nothing typed adds a line to a transfer, and nothing is longer than allowed', () => {
  expect(lines({ holder: ' Olivia\nBrandt\r\nEUR9.99 ' })[5]).toBe('Olivia Brandt EUR9.99')
  expect(lines({ holder: 'a'.repeat(200) })[5]).toBe('a'.repeat(70))
  expect(lines({ reference: 'r'.repeat(200) })[10]).toBe('r'.repeat(140))
  const all = lines({ holder: '字'.repeat(70), reference: 'r'.repeat(140) }).join('\n')
  expect(new TextEncoder().encode(all).length).toBeLessThanOrEqual(331)
  expect(all).toMatch(/\n字{20,70}\nDE89/)
  expect(creditTransferText({ ...transfer, holder: ' ' })).toBeNull()
})
