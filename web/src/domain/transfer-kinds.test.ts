import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ACCOUNT_KINDS, TRANSFER_KINDS } from './transfer-kinds.ts'

test('every kind of account and of movement in the ledger has a name', () => {
  const ledger = readFileSync(join(import.meta.dirname, '../../../supabase/schemas/money/ledger.sql'), 'utf8')
  const [accounts, movements] = Array.from(
    ledger.matchAll(/kind text not null check \(kind in \(([^)]+)\)/g),
    ([, kinds = '']) => Array.from(kinds.matchAll(/'([^']+)'/g), ([, kind]) => kind),
  )
  expect(Object.keys(ACCOUNT_KINDS).toSorted()).toEqual(accounts?.toSorted())
  expect(Object.keys(TRANSFER_KINDS)).toEqual(expect.arrayContaining(movements ?? ['none']))
})
