// What the nightly job deletes, and what it leaves because something open needs it.
//
// | row                              | goes                         | stays although as old                             |
// |----------------------------------|------------------------------|---------------------------------------------------|
// | closed chat                      | 2 years after the last word  | open; a word since; an undecided report; a problem |
// | case; decision                   | after 3 years                | open; the reasons of a suspension that lasts       |
// | request for a place              | a year after it was made     | -                                                  |
// | invitation                       | 90 days after it expired     | one day younger                                    |
// | who opened a plan's access       | after 3 years                | the version in use                                 |
// | words about a problem            | 3 years after it was closed  | the rest of its row: it moved money                |
// | a closed account's cards         | after 12 months              | those of a person who is still here                |
import { expect, test } from 'vitest'
import { columnOf } from './answers.ts'
import { addPeople, ownDatabase } from './people.ts'
import { ask, join, openChat, setTheTable } from './plans.ts'

const { db, sql } = await ownDatabase()
const clean = () => sql`select private.run_housekeeping()`
const age = (table: string, column: string, by: string) =>
  db.query(`update ${table} set ${column} = ${column} - $1::interval`, [by])

test('the nightly job deletes what has ended, and nothing that an open case needs', async () => {
  const { olivia, marc, zoe, plan } = await setTheTable(db)
  const [nina, lea] = await addPeople(db, ['Nina', 'Lea'])
  await join(db, nina, plan)
  const [left, reported, current] = [
    await openChat(db, plan, marc),
    await openChat(db, plan, nina),
    await (async () => {
      await join(db, zoe, plan)
      return openChat(db, plan, zoe)
    })(),
  ]
  await marc.sql`insert into messages (conversation_id, content) values (${left}, 'Goodbye')`
  for (const person of [marc, nina])
    await person.sql`delete from subscription_members where user_id = ${person.id}`
  await nina.sql`select report('person', ${olivia.id}, 'fraud', 'Asks for passwords')`
  const chats = () => columnOf(sql`select id from conversations order by created_at`)
  await age('conversations', 'created_at', '25 months')
  await clean()
  expect(await chats()).toContain(left)
  await age('messages', 'created_at', '25 months')
  await clean()
  expect((await chats()).toSorted()).toEqual([reported, current].toSorted())
  await sql`update cases set closed_at = now(), outcome = 'none', answer = 'Nothing found'`
  await clean()
  expect(await chats()).toEqual([current])

  await ask(db, lea, plan, 'May I?')
  await sql`update subscription_requests set requested_at = now() - interval '3 days' where user_id = ${lea.id}`
  await sql`select private.expire_join_requests()`
  await clean()
  expect(await columnOf(lea.sql`select message from subscription_requests`)).toEqual(['May I?'])
  await age('subscription_requests', 'requested_at', '1 year')
  await clean()
  expect(await columnOf(sql`select id from subscription_requests`)).toEqual([])

  await sql`insert into subscription_invitations (subscription_id, email, invited_by, token_hash, expires_at)
    select ${plan.id}, name || '@example.org', ${olivia.id}, name, now() - days from (values
      ('old', interval '91 days'), ('young', interval '89 days')) as i (name, days)`
  await sql`insert into private.vault_openings (kind, subscription_id, version, owner_id, opened_by, purpose, opened_at)
    select 'plan', ${plan.id}, version, ${olivia.id}, ${zoe.id}, 'Signing in', now() - days from (values
      (1, interval '37 months'), (2, interval '35 months'), (2, interval '37 months')) as o (version, days)`
  await clean()
  expect(await columnOf(sql`select token_hash from subscription_invitations`)).toEqual(['young'])
  expect(
    await columnOf(sql`select version from private.vault_openings where kind = 'plan' order by 1`),
  ).toEqual([2, 2])
})

test('cases and decisions go once they are old, but no open case, and no reasons of what still lasts', async () => {
  const people = await addPeople(db, ['Marc', 'Zoe'])
  for (const { id } of people) {
    await sql`insert into cases (kind, writer_id, body) values ('question', ${id}, 'Open')`
    await sql`insert into cases (kind, writer_id, body, closed_at, outcome, answer)
      values ('question', ${id}, 'Closed', now(), 'answered', 'Here')`
    await sql`insert into private.decisions (person_id, measure, ground, clause, block, facts)
      select ${id}, measure, 'terms', '3', 'insult', '' from unnest('{warned,suspended}'::text[]) as measure`
  }
  await sql`update auth.users set banned_until = now() + interval '100 years' where id = ${people[0].id}`
  const left = async () => [
    (await columnOf(sql`select body from cases where kind = 'question' order by 1`)).join(),
    (await columnOf(sql`select measure from private.decisions order by 1`)).join(),
  ]
  await clean()
  expect(await left()).toEqual(['Closed,Closed,Open,Open', 'suspended,suspended,warned,warned'])
  await sql`update cases set opened_at = opened_at - interval '37 months', closed_at = closed_at - interval '37 months'`
  await age('private.decisions', 'decided_at', '37 months')
  await clean()
  expect(await left()).toEqual(['Open,Open', 'suspended'])
})

test('the words of a problem go, and the cards of accounts that have ended', async () => {
  const [marc, zoe] = await addPeople(db, ['Marc', 'Zoe'])
  await sql`insert into private.payment_fingerprints (fingerprint, user_id) values ('one', ${marc.id}), ('two', ${zoe.id})`
  await sql`update private.user_profiles set deleted_at = private.now() where user_id = ${marc.id}`
  await sql`insert into seat_problems (seat_id, payment_id, subscription_id, plan_name, owner_id, member_id, reason, note, status, outcome,
      lost_until, closed_at, decision)
    select s.id, m.id, s.subscription_id, s.plan_name, s.owner_id, s.member_id, 'other', 'It broke', 'closed', 'for-owner', private.now(),
      private.now(), 'It works' from private.seats as s join member_payments as m on m.seat_id = s.id limit 1`
  await sql`insert into problem_statements (problem_id, line, kind, note) select id, 1, 'reported', 'It broke' from seat_problems`
  const words = () =>
    sql`select p.note, p.decision, s.note as said, p.outcome from seat_problems as p join problem_statements as s on s.problem_id = p.id`
  const cards = () => columnOf(sql`select fingerprint from private.payment_fingerprints order by 1`)
  const written = { note: 'It broke', decision: 'It works', said: 'It broke', outcome: 'for-owner' }
  await sql`update private.clock set ahead = ahead + interval '11 months'`
  await clean()
  expect(await cards()).toEqual(['one', 'two'])
  await sql`update private.clock set ahead = ahead + interval '2 years'`
  await clean()
  expect([await words(), await cards()]).toEqual([[written], ['two']])
  await sql`update private.clock set ahead = ahead + interval '2 months'`
  await clean()
  expect(await words()).toEqual([{ note: null, decision: null, said: null, outcome: 'for-owner' }])
})
