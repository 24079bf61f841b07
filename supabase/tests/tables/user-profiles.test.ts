import { expect, test } from 'vitest'
import { addPerson, DENIED, ownDatabase, refusalOf } from '../people.ts'

const { db, sql, VISITOR } = await ownDatabase()

const PUBLIC_COLUMNS = 'select display_name, avatar_url from user_profiles where user_id = $1'

test('an account comes with a profile named after its person', async () => {
  const zoe = await addPerson(db, 'Zoe')
  expect(await zoe.run(PUBLIC_COLUMNS, [zoe.id])).toEqual([{ display_name: 'Zoe', avatar_url: null }])
})

test.each([
  ['without a name, as a new member and never after the address', {}, 'New member'],
  ['as their provider calls them', { full_name: 'Quinn Day' }, 'Quinn Day'],
  ['by the first of their names that is one', { name: '\u200b', full_name: 'Quinn' }, 'Quinn'],
  ['not as the site', { name: ' POT LUCK ' }, 'New member'],
])('%s', async (how, metadata, display_name) => {
  const [account] = await sql<{ id: string }>`insert into auth.users (email, raw_user_meta_data)
    values (${`${how.replaceAll(' ', '.')}@potluck.example`}, ${JSON.stringify(metadata)}::jsonb) returning id`
  const zoe = await addPerson(db, 'Zoe')
  expect(await zoe.run(PUBLIC_COLUMNS, [account?.id ?? ''])).toEqual([{ display_name, avatar_url: null }])
})

test('whoever takes their name away is a new member again', async () => {
  const zoe = await addPerson(db, 'Zoe')
  await zoe.sql`update user_profiles set display_name = null where user_id = ${zoe.id}`
  expect(await zoe.run(PUBLIC_COLUMNS, [zoe.id])).toEqual([{ display_name: 'New member', avatar_url: null }])
})

test('a name longer than a profile holds does not stop a sign-up', async () => {
  await sql`insert into auth.users (email, raw_user_meta_data) values
    ('long@potluck.example', jsonb_build_object('name', repeat('x', 5000), 'avatar_url', repeat('y', 5000)))`
  expect(
    await sql`select length(display_name) as name, length(avatar_url) as avatar
      from user_profiles where display_name like 'xx%'`,
  ).toEqual([{ name: 80, avatar: 500 }])
})

test('others read how a person appears, not the full name or the phone number', async () => {
  const olivia = await addPerson(db, 'Olivia')
  const zoe = await addPerson(db, 'Zoe')
  expect(await zoe.run(PUBLIC_COLUMNS, [olivia.id])).toHaveLength(1)
  for (const column of ['full_name', 'phone_number', '*']) {
    const text = `select ${column} from user_profiles where user_id = $1`
    expect(await refusalOf(zoe.run(text, [olivia.id]))).toMatchObject(DENIED)
  }
  expect(await refusalOf(VISITOR.run(PUBLIC_COLUMNS, [olivia.id]))).toMatchObject(DENIED)
})

test('a person changes the own profile, and its date follows', async () => {
  const olivia = await addPerson(db, 'Olivia')
  const zoe = await addPerson(db, 'Zoe')
  await sql`update user_profiles set created_at = '2020-01-01' where user_id = ${zoe.id}`
  const change = `update user_profiles set display_name = 'Zo', full_name = 'Zoe Day', phone_number = '+4930123456',
    avatar_url = '/avatars/avatar-3.png', updated_at = '2001-01-01' where user_id = $1
    returning display_name, avatar_url, updated_at > now() - interval '1 minute' as dated`
  expect(await zoe.run(change, [zoe.id])).toEqual([
    { display_name: 'Zo', avatar_url: '/avatars/avatar-3.png', dated: true },
  ])
  expect(await zoe.run(change, [olivia.id])).toEqual([])
})

test('a first save makes the row, with the phone number, for oneself only', async () => {
  const olivia = await addPerson(db, 'Olivia')
  const zoe = await addPerson(db, 'Zoe')
  await sql`delete from user_profiles where user_id = any (${`{${zoe.id},${olivia.id}}`}::uuid[])`
  const save = `insert into user_profiles (user_id, display_name, full_name, phone_number)
    values ($1, 'Zoe', 'Zoe Day', '+4930123456')`
  await zoe.run(save, [zoe.id])
  expect(await zoe.sql`select * from user_details`).toEqual([
    { user_id: zoe.id, full_name: 'Zoe Day', phone_number: '+4930123456' },
  ])
  expect(await olivia.sql`select * from user_details`).toEqual([])
  await zoe.sql`update user_profiles set full_name = null, phone_number = null where user_id = ${zoe.id}`
  expect(await sql`select * from user_details where user_id = ${zoe.id}`).toEqual([])
  expect(await refusalOf(zoe.run(save, [olivia.id]))).toMatchObject(DENIED)
})

test('texts have limits', async () => {
  const zoe = await addPerson(db, 'Zoe')
  const change = 'update user_profiles set display_name = $1 where user_id = $2'
  expect(await refusalOf(zoe.run(change, ['x'.repeat(81), zoe.id]))).toMatchObject({ code: '23514' })
  await zoe.run(change, ['x'.repeat(80), zoe.id])
})
