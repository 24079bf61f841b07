// Sealed data opens for its own label, and for no other.
// Proves VAULT 02
import { expect, test } from 'vitest'
import {
  DecryptionFailed,
  type Label,
  makeDataKey,
  type Owner,
  open,
  openDataKey,
  readSiteKeys,
  rewrapDataKey,
  type SiteKey,
  seal,
} from '../../functions/vault/seal.ts'

const [old, next] = (await readSiteKeys(`${'A'.repeat(43)}=, ${'B'.repeat(43)}`)) as [SiteKey, SiteKey]
const OLIVIA: Owner = { kind: 'person', id: 'olivia' }
const MARC: Owner = { kind: 'person', id: 'marc' }
const LABEL: Label = { kind: 'bank-account', id: 'one', version: 1 }
const SECRET = { iban: 'DE89370400440532013000' }

test('a secret opens with its data key and label, before and after the site has a new key', async () => {
  const { key, wrapped } = await makeDataKey(old, OLIVIA)
  const sealed = await seal(key, SECRET, LABEL)
  expect(await open(await openDataKey(old, wrapped, OLIVIA), sealed, LABEL)).toEqual(SECRET)
  const rewrapped = await rewrapDataKey(old, next, wrapped, OLIVIA)
  expect(await open(await openDataKey(next, rewrapped, OLIVIA), sealed, LABEL)).toEqual(SECRET)
  await expect(openDataKey(old, rewrapped, OLIVIA)).rejects.toThrow(DecryptionFailed)
})

test('twice the same is sealed differently', async () => {
  const { key } = await makeDataKey(old, OLIVIA)
  expect(await seal(key, SECRET, LABEL)).not.toBe(await seal(key, SECRET, LABEL))
})

test.each<Partial<Label>>([{ id: 'two' }, { version: 2 }, { kind: 'plan' }])(
  'what is moved to %o does not open',
  async (moved) => {
    const { key } = await makeDataKey(old, OLIVIA)
    const sealed = await seal(key, SECRET, LABEL)
    await expect(open(key, sealed, { ...LABEL, ...moved })).rejects.toThrow(DecryptionFailed)
  },
)

test('nothing opens with the data key of another, nor a data key for another', async () => {
  const [his, hers] = [await makeDataKey(old, MARC), await makeDataKey(old, OLIVIA)]
  await expect(open(his.key, await seal(hers.key, SECRET, LABEL), LABEL)).rejects.toThrow(DecryptionFailed)
  for (const other of [MARC, { ...OLIVIA, kind: 'plan' } as const])
    await expect(openDataKey(old, hers.wrapped, other)).rejects.toThrow(DecryptionFailed)
  // The data key does not open as a secret, nor the secret as a data key.
  await expect(open(old.key, hers.wrapped, LABEL)).rejects.toThrow(DecryptionFailed)
  await expect(openDataKey(old, await seal(hers.key, SECRET, LABEL), OLIVIA)).rejects.toThrow(
    DecryptionFailed,
  )
})

test('one changed character, wherever it is, and other text do not open', async () => {
  const { key } = await makeDataKey(old, OLIVIA)
  const sealed = await seal(key, SECRET, LABEL)
  const changed = [...sealed].map(
    (one, at) => sealed.slice(0, at) + (one === 'b' ? 'c' : 'b') + sealed.slice(at + 1),
  )
  // The last character is left unchanged, because it contains bits that base64 does not use.
  const attempts = [
    ...changed.slice(0, -1),
    '',
    'v1',
    'v1..',
    'v1.AAAA.AAAA',
    `v2${sealed.slice(2)}`,
    '\u0000',
  ]
  for (const attempt of attempts) await expect(open(key, attempt, LABEL)).rejects.toThrow(DecryptionFailed)
})

test.each([undefined, '', 'short', 'A'.repeat(42), `${'A'.repeat(43)},`, 'é'.repeat(43)])(
  'VAULT_KEY cannot be %o',
  async (text) => {
    await expect(readSiteKeys(text)).rejects.toThrow(/^VAULT_KEY must hold 32 random bytes in base64/)
  },
)
