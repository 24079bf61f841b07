import { expect, test } from 'vitest'
import { formatBytes } from './bytes.ts'

test.each([
  [0, '0 byte'],
  [999, '999 byte'],
  [115_300, '115 kB'],
  [52_428_800, '52.4 MB'],
  [1e9, '1 GB'],
  [2.5e15, '2,500 TB'],
])('%d bytes are %s', (bytes, words) => expect(formatBytes(bytes)).toBe(words))
