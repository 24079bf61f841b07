// What is drawn is scanned again, by a decoder that shares no code with what drew it.
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { creditTransferText } from '#domain/credit-transfer.ts'
import { scan } from '../../test/scan.ts'
import { QrCode } from './QrCode.tsx'

it.each([
  ['Olivia Brandt', 4.4, 'PL-7F3K-2'],
  ['Zoë Łukasiewicz-Öztürk', 0.01, 'Müll & Söhne: 1/12'],
  ['字'.repeat(70), 999_999_999.99, 'r'.repeat(100)],
])('the code of a transfer to %s is read as what it says', (holder, amount, reference) => {
  const text = creditTransferText({ holder, iban: 'DE89370400440532013000', amount, reference }) ?? ''
  expect(text).toContain('\nDE89370400440532013000\n')
  render(<QrCode text={text} label="For your bank’s app" />)
  expect(scan(screen.getByRole('img', { name: 'For your bank’s app' }))).toBe(text)
})
