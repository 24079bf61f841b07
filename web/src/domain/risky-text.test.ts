// Proves VAULT 10
import { describe, expect, it } from 'vitest'
import { riskIn } from './risky-text.ts'

const SITE = 'potluck.example'

describe('a text that had better not be sent', () => {
  it.each([
    ['iban', 'DE89370400440532013000'],
    ['iban', 'My account is DE89 3704 0044 0532 0130 00 thank you'],
    ['iban', 'please pay to de89-3704-0044-0532-0130-00.'],
    ['iban', '(NL91 ABNA 0417 1643 00)'],
    ['iban', 'NO93 8601 1117 947, quickly'],
    ['iban', 'MT84MALT011000012345MTLCAST001S'],
    ['card', '4242 4242 4242 4242'],
    ['card', 'Take my card 5555-5555-5555-4444, it works'],
    ['card', '378282246310005'],
    ['password', 'password: hunter2'],
    ['password', 'The Password is sunshine'],
    ['password', 'pw sunshine'],
    ['password', 'PW:correct horse'],
    ['password', 'pass = 1234'],
    ['password', 'use code 482913 to get in'],
    ['password', 'password: the'],
    ['password', 'our new password "Sunflower!"'],
    ['phone', 'Call me at +49 151 23456789'],
    ['phone', '0151/23456789 is mine'],
    ['phone', '(ring +1 (415) 555-2671)'],
    ['phone', '0033 6 12 34 56 78'],
    ['link', 'See https://evil.example/login'],
    ['link', 'pay at paypal.me/olivia'],
    ['link', 'www.example.com'],
    ['link', 'https://potluck.example.evil.example/'],
    // The gravest is named.
    ['password', 'password: hunter2, or call +49 151 23456789'],
  ] as const)('holds a %s: %s', (risk, text) => expect(riskIn(text, SITE)).toBe(risk))

  it.each([
    'Welcome! Glad to have you.',
    'I changed the password yesterday.',
    'Is the password still the same?',
    'What is the password?',
    'The password is in the vault.',
    'The password was wrong.',
    'password',
    'The code is not here yet',
    'My pass has expired.',
    'Did your code come through?',
    'Passing by at nine, the passport is ready',
    'DE89 3704 0044 0532 0130 01 is one digit off',
    'GB18 is a nice postcode',
    'DE89',
    '4242 4242 4242 4241 is no card',
    '1234 5678 9012 3456',
    'It renews on 05.12.2026 at 09:30.',
    'From 01/02/2026 to 28/02/2026',
    'It is €4.40 a month, €52.80 a year.',
    'Order 2026-000123456 is paid, reference PL-1A2B3C4D-2',
    '2 screens at 1080p, 3 members, 4 places',
    'See https://potluck.example/my-subscriptions',
    'Ask me by mail: olivia@example.com',
    'Netflix.com has it, either/or.',
    'e.g. on Monday/Tuesday',
  ])('holds nothing: %s', (text) => expect(riskIn(text, SITE)).toBeNull())
})
