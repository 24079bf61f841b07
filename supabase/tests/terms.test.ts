// The numbers people are told stand in one migration; a rule, a check or a sentence that repeats one would drift.
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const FOLDER = resolve(import.meta.dirname, '../migrations')
const HOME = '20261120000120_terms.sql'

const migrations = async () =>
  Promise.all(
    (await readdir(FOLDER))
      .filter((file) => file !== HOME)
      .map(async (file) => ({ file, lines: (await readFile(join(FOLDER, file), 'utf8')).split('\n') })),
  )

test.each([
  ['request_lifetime', /\b48 hours\b|\b2 days\b/i],
  ['proof_lifetime', /- interval '10 minutes'|\b10 minutes ago\b/],
  ['undo_lifetime', /\b48 hours\b/],
  ['reminder_lead', /\b42 hours\b|within 6 hours/i],
  ['invitation_lifetime', /\b7 days\b/i],
  ['standing_memory', /\b180 days\b/i],
  ['first_fee_rate', /\b1\.10?\b|\b0\.10?\b/],
  ['most_fee_rate', /\b0\.20?\b|\b20 percent/i],
  ['least_withdrawal', /\b20(\.0+)?\b coins|([<>]=?|between) 20\b/],
  ['most_coins', /9{6,}/],
  ['longest_message', /\b1000 characters|[<>]=? 1000\b/],
])('private.%s() is the only home of its number', async (name, literal) => {
  expect(await readFile(join(FOLDER, HOME), 'utf8')).toMatch(new RegExp(`function private\\.${name}\\(\\)`))
  const strays = (await migrations()).flatMap(({ file, lines }) =>
    lines.filter((line) => literal.test(line)).map((line) => `${file}: ${line.trim()}`),
  )
  expect(strays).toEqual([])
})
