// Each number shown to people appears once, in its function in the schema; the web takes it from the generated file.
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readSchemas } from '../generate/schemas.ts'

test.each([
  ['request_lifetime', /\b48 hours\b|\b2 days\b/i],
  ['proof_lifetime', /- interval '10 minutes'|\b10 minutes ago\b/],
  ['undo_lifetime', /\b48 hours\b/],
  ['reminder_lead', /\b42 hours\b|within 6 hours/i],
  ['invitation_lifetime', /\b7 days\b/i],
  ['direct_patience', /\b14 days\b/i],
  ['standing_memory', /\b180 days\b/i],
  ['first_fee_rate', /\b1\.10?\b|\b0\.10?\b/],
  ['most_fee_rate', /\b0\.20?\b|\b20 percent/i],
  ['least_withdrawal', /\b20(\.0+)?\b coins|([<>]=?|between) 20\b/],
  ['most_coins', /9{6,}/],
  ['longest_message', /\b1000 characters|[<>]=? 1000\b/],
  ['longest_join_message', /at most \d+ characters/],
  ['least_age', /\b18 years|[<>]=? 18\b/],
  ['longest_token_name', /\bname\b.*(<=|1 and) 60\b/],
  ['longest_tax_number', /\b50\).*tax_number|tax_number.*\b50\)/],
  ['longest_invoice_prefix', /\{0,10\}/],
  ['longest_bank_reference', /stripe_transfer_id.*\b200\b/],
  ['longest_address', /\b254\b/],
  ['shortest_provider_name', /visible_length\(.*\) < [2-9]/],
  ['shortest_provider_description', /at least \d+ characters|visible_length\(.*\) < \d\d/],
  ['furthest_renewal_years', /\b36[56]\d\b/],
  ['least_published_count', />= 5\b|below 5\b/],
  ['debit_working_days', /\b14 working\b/],
  ['most_plan_members', /\b10000\b/],
  ['token_scopes', /'read plans', 'write plans'|\{read plans,/],
  ['shared_reads', /'\/rpc\//],
])('private.%s() is the only home of its number', async (name, literal) => {
  const all = (await readSchemas()).flatMap(({ path, sql }) =>
    sql.split('\n').map((line) => ({ path, line })),
  )
  expect(all.filter(({ line }) => line.startsWith(`create function private.${name}()`))).toHaveLength(1)
  // Skips other functions that return the same number, and comments.
  const isOther = (line: string) => /^language sql immutable return|^\s*--/.test(line)
  const strays = all.filter(({ line }) => !isOther(line) && literal.test(line))
  expect(strays.map(({ path, line }) => `${path}: ${line.trim()}`)).toEqual([])
})

// These numbers are not terms: periods of figures on a page, and the time for which a browser keeps loaded data.
const OTHER =
  /^\s*(\/\/|\*|\/\*)|figures|statistics|'\d+d'|label: '|(in|label="\w+ in) \d+ days|^const LONGEST = 30 \*/i

test('the web writes none of them out', async () => {
  const web = resolve(import.meta.dirname, '../../web/src')
  const paths = (await readdir(web, { recursive: true })).filter((path) => /(?<!\.test)\.tsx?$/.test(path))
  const lines = paths.map(async (path) =>
    (await readFile(join(web, path), 'utf8')).split('\n').map((line) => `${path}: ${line.trim()}`),
  )
  const written =
    /\b((?!1 )\d+|two|three|seven|fourteen) (hours|(working )?days|coins)\b|fewer than \d|at least \d+ characters|of \d+ recovery|maxLength=\{\d\d|\b\d+ \* (24 \* )?60 \* 60|at most \d+ characters|LONGEST_\w+ = (500|1000|200|300)\b|LONGEST = \{ ?\w+: \d/
  const strays = (await Promise.all(lines))
    .flat()
    .filter((line) => written.test(line) && !OTHER.test(line.slice(line.indexOf(': ') + 2)))
  expect(strays).toEqual([])
})

test.each([
  ['is_chargeable', "'due', 'charging', 'needs-action', 'failed'"],
  ['has_failed', "'needs-action', 'failed'"],
  ['awaits_member', "'due', 'needs-action', 'failed'"],
  ['is_unconfirmed', "'claimed', 'disputed'"],
  ['is_open_directly', "'due', 'claimed', 'disputed'"],
  ['is_paid', "'paid', 'closed'"],
  ['is_claimed_or_paid', "'claimed', 'paid'"],
  ['is_open_claim', "'open', 'disputed'"],
  ['is_open_refund', "'queued', 'pending'"],
  ['is_open_withdrawal', "'pending', 'processing'"],
])('private.%s() is the only home of its statuses', async (name, statuses) => {
  // The checks of the books do not call the database's functions, which its owner may have changed, so they repeat
  // these lists.
  const schemas = (await readSchemas()).filter(({ path }) => !path.endsWith('agreement.sql'))
  const listed = [statuses, statuses.split(', ').reverse().join(', ')].map((list) => ` in (${list})`)
  const strays = schemas.flatMap(({ path, sql }) =>
    sql
      .split('\n')
      .filter(
        (line) =>
          listed.some((list) => line.includes(list)) && !line.startsWith('language sql immutable return'),
      )
      .map((line) => `${path}: ${line.trim()}`),
  )
  expect(strays).toEqual([])
  expect(schemas.filter(({ sql }) => sql.includes(`create function private.${name}(`))).toHaveLength(1)
})
