import { expect, test } from 'vitest'
import { type Asker, DENIED, ownDatabase, refusalOf } from '../people.ts'
import { ask, type SharedPlan, setTheTable } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()

const write = (person: Asker, plan: SharedPlan, name: string) =>
  person.sql`insert into subscription_logins (subscription_id, login_name) values (${plan.id}, ${name})
     on conflict (subscription_id) do update set login_name = excluded.login_name returning login_name`
const read = (person: Asker, plan: SharedPlan) =>
  person.sql`select login_name from subscription_logins where subscription_id = ${plan.id}`

test('the login name is read by owner and members, not by who is still asking', async () => {
  const { olivia, marc, zoe, plan } = await setTheTable(db)
  await write(olivia, plan, 'family@olivia.example')
  await ask(db, zoe, plan)
  expect(await read(olivia, plan)).toEqual([{ login_name: 'family@olivia.example' }])
  expect(await read(marc, plan)).toEqual([{ login_name: 'family@olivia.example' }])
  expect(await read(zoe, plan)).toEqual([])
  expect(await refusalOf(read(VISITOR, plan))).toMatchObject(DENIED)
})

test('is gone for a member who left', async () => {
  const { olivia, marc, plan } = await setTheTable(db)
  await write(olivia, plan, 'family@olivia.example')
  await marc.sql`delete from subscription_members where user_id = ${marc.id}`
  expect(await read(marc, plan)).toEqual([])
})

test('is set, changed and removed by the owner alone', async () => {
  const { olivia, marc, zoe, plan } = await setTheTable(db)
  expect(await write(olivia, plan, 'one@olivia.example')).toHaveLength(1)
  expect(await write(olivia, plan, 'two@olivia.example')).toEqual([{ login_name: 'two@olivia.example' }])
  for (const person of [marc, zoe, VISITOR]) {
    expect(await refusalOf(write(person, plan, 'mine@example.com'))).toMatchObject(DENIED)
  }
  const remove = 'delete from subscription_logins where subscription_id = $1 returning login_name'
  expect(await marc.run(remove, [plan.id])).toEqual([])
  expect(await olivia.run(remove, [plan.id])).toHaveLength(1)
})

test('no column is for a password', async () => {
  // The id of something secret is none.
  const found = await sql`select table_name || '.' || column_name as found from information_schema.columns
    where table_schema in ('public', 'private') and column_name ~* 'pass|pwd|secret' and data_type <> 'uuid'`
  expect(found).toEqual([])
  const columns = await sql<{ column_name: string }>`select column_name from information_schema.columns
    where table_schema = 'public' and table_name = 'subscription_logins' order by column_name`
  expect(columns.map(({ column_name }) => column_name)).toEqual([
    'login_name',
    'subscription_id',
    'updated_at',
  ])
})

test('a change of the login name is told to the browsers of those who may read it', async () => {
  const published = `select 1 as found from pg_publication_tables
    where pubname = 'supabase_realtime' and schemaname = 'public' and tablename = 'subscription_logins'`
  expect(await db.query(published)).toEqual([{ found: 1 }])
})

test('a login name cannot be blank', async () => {
  const { olivia, plan } = await setTheTable(db)
  expect(await refusalOf(write(olivia, plan, '  '))).toMatchObject({ code: '23514' })
})
