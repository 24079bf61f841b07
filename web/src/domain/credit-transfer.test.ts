import { describe, expect, it } from 'vitest'
import { creditTransferText } from './credit-transfer.ts'

const transfer = {
  holder: 'Olivia Brandt',
  iban: 'DE89370400440532013000',
  amount: 5,
  reference: 'PL-7F3K-2',
}

describe('the text for bank apps', () => {
  it('has the lines of EPC069-12 in their order, and ends with the last that says something', () => {
    expect(creditTransferText(transfer)).toBe(
      'BCD\n002\n1\nSCT\n\nOlivia Brandt\nDE89370400440532013000\nEUR5.00\n\n\nPL-7F3K-2',
    )
  })

  it.each([
    [0.01, 'EUR0.01'],
    [4.4, 'EUR4.40'],
    [999_999_999.99, 'EUR999999999.99'],
  ])('writes %d EUR as %s', (amount, line) => {
    expect(creditTransferText({ ...transfer, amount })?.split('\n')[7]).toBe(line)
  })

  it.each([0, -1, 0.001, Number.NaN, 1e308])('is not written for %d EUR', (amount) => {
    expect(creditTransferText({ ...transfer, amount })).toBeNull()
  })

  it('stays within the standard: nothing typed adds a line, and nothing is longer than allowed', () => {
    const lines = (more: object) => creditTransferText({ ...transfer, ...more })?.split('\n') ?? []
    expect(lines({ holder: ' Olivia\nBrandt\r\nEUR9.99 ' })[5]).toBe('Olivia Brandt EUR9.99')
    expect(lines({ holder: 'a'.repeat(200) })[5]).toBe('a'.repeat(70))
    expect(lines({ reference: 'r'.repeat(200) })[10]).toBe('r'.repeat(140))
    const all = lines({ holder: '字'.repeat(70), reference: 'r'.repeat(140) }).join('\n')
    expect(new TextEncoder().encode(all).length).toBeLessThanOrEqual(331)
    expect(all).toMatch(/\n字{20,70}\nDE89/)
    expect(creditTransferText({ ...transfer, holder: ' ' })).toBeNull()
  })
})
