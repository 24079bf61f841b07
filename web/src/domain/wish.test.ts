import { describe, expect, it } from 'vitest'
import { readWish, type WishForm } from './wish.ts'

const empty: WishForm = { kind: 'iban', iban: '', holder: '', link: '', note: '' }
const read = (typed: Partial<WishForm>) => readWish({ ...empty, ...typed })

describe('how an owner is paid', () => {
  it.each([
    [
      { iban: 'de89 3704 0044 0532 0130 00', holder: ' Olivia Brandt ' },
      { kind: 'iban', iban: 'DE89370400440532013000', holder: 'Olivia Brandt' },
    ],
    [
      { kind: 'link', link: ' https://paypal.me/olivia ' },
      { kind: 'link', link: 'https://paypal.me/olivia' },
    ],
    [
      { kind: 'text', note: ' Cash, please. ' },
      { kind: 'text', note: 'Cash, please.' },
    ],
  ] as const)('is read from %o', (typed, wish) => {
    expect(read(typed)).toEqual({ wish })
  })

  it.each([
    [{ iban: 'DE88 3704 0044 0532 0130 00', holder: 'Olivia' }, ['iban']],
    [{ iban: 'DE89 3704 0044 0532 0130 00' }, ['holder']],
    [{}, ['iban', 'holder']],
    [{ kind: 'link', link: 'http://paypal.me/olivia' }, ['link']],
    [{ kind: 'link', link: 'javascript:alert(1)' }, ['link']],
    [{ kind: 'link', link: 'https://localhost' }, ['link']],
    [{ kind: 'link', link: `https://a.example/${'a'.repeat(500)}` }, ['link']],
    [{ kind: 'text', note: '  ' }, ['note']],
  ] as const)('is refused as %o', (typed, fields) => {
    const answer = read(typed)
    expect('problems' in answer && Object.keys(answer.problems)).toEqual(fields)
  })
})
