// Only the person themselves decides which notifications count as read.
// Proves NOTIF 03 04 10, ROLE 06 07 13, CREATE 15, WALLET 08 11, ADMIN 27, API 47 48 50, VALID 22
import { expect, test } from 'vitest'
import { addPeople, denied, ownDatabase, type Person, refusalOf } from '../people.ts'

const { db, sql } = await ownDatabase()

test('notifications are marked one by one or all at once, and by nobody else', async () => {
  const [zoe, marc] = await addPeople(db, ['Zoe', 'Marc'])
  for (const title of ['one', 'two', 'three'])
    await sql`insert into user_notifications (user_id, type, title, message) values (${zoe.id}, 'info', ${title}, 'News')`
  const mark = (person: Person, of: Person, ids: string | null) =>
    person.sql`select mark_notifications_as_read(${of.id}, ${ids}::uuid[])`
  const unread = async () =>
    (await zoe.sql`select id, title from user_notifications where not read order by created_at`).map(
      ({ title }) => title,
    )
  const [first] = await zoe.sql<{ id: string }>`select id from user_notifications where title = 'one'`
  await mark(marc, marc, `{${first?.id}}`)
  expect(await refusalOf(mark(marc, zoe, null))).toEqual(denied('You can only do this for yourself'))
  expect(await unread()).toEqual(['one', 'two', 'three'])
  await mark(zoe, zoe, `{${first?.id}}`)
  expect(await unread()).toEqual(['two', 'three'])
  await mark(zoe, zoe, null)
  expect(await unread()).toEqual([])
})
