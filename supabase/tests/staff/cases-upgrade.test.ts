// What people had brought to the staff before cases came: reports of people and reviews and questions become cases, open or closed as they
// were, and no review shows again that staff had hidden.
import { migrate, readMigrations, readRepeatable } from '@potluck/server/db/migrate.ts'
import { expect, test } from 'vitest'
import { emptyDatabase } from '../../../server/test/harness.ts'
import { addPerson, statements } from '../people.ts'
import { join, sharePlan } from '../plans.ts'

const ROOT = `${import.meta.dirname}/../../..`
const BASELINE = '20261130074320'

test('reports and questions of the first release become cases', async () => {
  const db = await emptyDatabase()
  const { sql } = statements(db)
  const platform = await readMigrations(`${ROOT}/server/src/platform`)
  const migrations = await readMigrations(`${ROOT}/supabase/migrations`)
  const repeatable = await readRepeatable(`${ROOT}/supabase/repeatable`)
  await migrate(db, {
    platform,
    migrations: migrations.filter(({ version }) => version <= BASELINE),
    repeatable,
  })
  const add = (name: string) => addPerson(db, name, false)
  const [olivia, marc, zoe, mona, nina] = [
    await add('Olivia'),
    await add('Marc'),
    await add('Zoe'),
    await add('Mona'),
    await add('Nina'),
  ]
  await sql`insert into user_roles (user_id, role) values (${mona.id}, 'moderator')`
  await join(db, marc, await sharePlan(db, olivia))
  await sql`insert into person_reports (person_id, reporter_id, reason) values (${olivia.id}, ${zoe.id}, 'Rude')`
  await sql`insert into person_reports (person_id, reporter_id, reason, decided_at, decision, finding)
    values (${olivia.id}, ${nina.id}, 'Late', now(), 'warned', 'Asks for passwords')`
  await sql`select private.ensure_profile(${zoe.id}), private.ensure_profile(${mona.id})`
  await sql`insert into private.support_requests (writer_id, request) values (${zoe.id}, 'Where is my receipt?')`
  await sql`insert into private.support_requests (writer_id, request, answered_at, answer, answered_by)
    values (${zoe.id}, 'And now?', now(), 'Under My Payments', ${mona.id})`
  await sql`insert into private.seat_reviews (seat_id, author_id, subject_id, rating, body, shown_from, reported_by, report_reason, reported_at)
    select id, ${marc.id}, ${olivia.id}, 1, 'A liar', now(), ${olivia.id}, 'Not true', now() from private.seats where member_id = ${marc.id}`
  await sql`insert into private.seat_reviews (seat_id, author_id, subject_id, rating, body, shown_from, reported_by, report_reason, reported_at,
      decided_at, hidden_reason)
    select id, ${olivia.id}, ${marc.id}, 1, 'A thief', now(), ${marc.id}, 'Not true', now(), now(), 'Insults' from private.seats
    where member_id = ${marc.id}`

  await migrate(db, { platform, migrations })
  const old = { closed_at: null, outcome: null, answer: null }
  expect(
    (
      await mona.sql`select kind, person_name, writer_name, body, content, closed_at, outcome, answer from list_cases()`
    ).sort((a, b) => String(a.kind).localeCompare(String(b.kind))),
  ).toEqual([
    { ...old, kind: 'person', person_name: 'Olivia', writer_name: 'Zoe', body: 'Rude', content: null },
    {
      ...old,
      kind: 'question',
      person_name: null,
      writer_name: 'Zoe',
      body: 'Where is my receipt?',
      content: null,
    },
    {
      ...old,
      kind: 'review',
      person_name: 'Marc',
      writer_name: 'Olivia',
      body: 'Not true',
      content: '1/5\nA liar',
    },
  ])
  expect(await mona.sql`select kind, outcome, answer from list_cases(true) order by kind`).toMatchObject([
    { kind: 'person', outcome: 'warned', answer: 'Asks for passwords' },
    { kind: 'question', outcome: 'answered', answer: 'Under My Payments' },
    { kind: 'review', outcome: 'review-hidden', answer: 'Insults' },
  ])
  expect(await zoe.sql`select body from reviews_of(${marc.id})`).toEqual([])
  expect(await zoe.sql`select body from reviews_of(${olivia.id})`).toEqual([{ body: 'A liar' }])
  // They are closed as every other case.
  await mona.sql`select close_case(id, case kind when 'question' then 'answered' else 'none' end, 'Seen') from list_cases()`
  expect(await mona.sql`select from list_cases()`).toEqual([])
  expect(await zoe.sql`select from my_support_requests()`).toHaveLength(2)
})
