// Readable text made from technical data, and the reverse.
import { expect, test } from 'vitest'
import { deviceInWords } from './device.ts'
import { containing } from './like.ts'

const mozilla = 'Mozilla/5.0'
const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0'
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0'

test.each([
  [`${mozilla} (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`, 'Chrome on Windows'],
  [`${mozilla} (Windows NT 10.0) ${chrome} Safari/537.36 Edg/146.0.0.0`, 'Microsoft Edge on Windows'],
  [`${mozilla} (Linux; Android 16) ${chrome} Mobile Safari/537.36`, 'Chrome on Android'],
  [`${mozilla} (iPhone; CPU iPhone OS 26_0 like Mac OS X) ${safari} Safari/604.1`, 'Safari on iPhone'],
  [`${mozilla} (Macintosh; Intel Mac OS X 10_15_7) ${safari} Safari/605.1.15`, 'Safari on macOS'],
  [`${mozilla} (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0`, 'Firefox on Linux'],
  ['node', 'An unknown device'],
  [null, 'An unknown device'],
])('%s is %s', (userAgent, words) => expect(deviceInWords(userAgent)).toBe(words))

test.each([
  ['Netflix', '%Netflix%'],
  ['100%', String.raw`%100\%%`],
  ['a_b', String.raw`%a\_b%`],
  ['\\', String.raw`%\\%`],
  ['a*b', '%a_b%'],
])('%s is looked for as %s', (text, pattern) => expect(containing(text)).toBe(pattern))
