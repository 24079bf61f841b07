// Owners declare whether they share as private people or as traders.
import { expect, test } from 'vitest'
import { single } from '../answers.ts'
import { addPeople, addPerson, ownDatabase, refusalOf, rule } from '../people.ts'
import { sharePlan } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()
const PRIVATE = { isTrader: false, name: null, address: null, email: null, numbers: null }
const TRADER = {
  isTrader: true,
  name: 'Ann Ltd',
  address: '1 Road, Town',
  email: 'ann@ltd.example',
  numbers: null,
}

test('nobody shares a first plan undeclared, by an import neither; the server itself may', async () => {
  const olivia = await addPerson(db, 'Olivia')
  await sql`delete from private.sellers where user_id = ${olivia.id}`
  const undeclared = rule(
    'Say first, where you share a plan on the site, whether you are a private person or a trader',
  )
  expect(await refusalOf(sharePlan(db, olivia))).toEqual(undeclared)
  const bring = olivia.sql`select import_plans(jsonb_build_array(jsonb_build_object('key', '0', 'name', 'Netflix',
    'price', 19.99, 'currency', 'EUR', 'unit', 'month', 'every', 1, 'renews', current_date + 40)))`
  expect(await refusalOf(bring)).toEqual(undeclared)
  expect(await single(olivia.sql`select my_seller()`)).toBeNull()
  await olivia.sql`select declare_seller(false)`
  expect(await single(olivia.sql`select my_seller()`)).toEqual(PRIVATE)
  await sharePlan(db, olivia)
  expect(await refusalOf(olivia.sql`select declare_seller(null)`)).toEqual(undeclared)
})

test.each([
  ['', '1 Road, Town', 'ann@ltd.example', 'A trader gives a name, an address and an email address'],
  ['Ann Ltd', '\u200b ', 'ann@ltd.example', 'A trader gives a name, an address and an email address'],
  ['Ann Ltd', '1 Road, Town', 'nowhere', 'A trader gives a name, an address and an email address'],
  ['Potluck Support', '1 Road, Town', 'ann@ltd.example', 'This name is reserved. Please choose another one.'],
  ['Ann Ltd', 'A'.repeat(201), 'ann@ltd.example', 'Please use 1 to 200 characters'],
])('a trader named %j at %j, %j is refused', async (name, address, email, message) => {
  const ann = await addPerson(db, 'Ann')
  const declared = ann.sql`select declare_seller(true, ${name}, ${address}, ${email})`
  expect(await refusalOf(declared)).toEqual({ code: '23514', message })
  expect(await single(ann.sql`select my_seller()`)).toEqual(PRIVATE)
})

test('the imprint of a trader is for people who may ask for a place: a visitor learns only that it is one', async () => {
  const [ann, marc, paul] = await addPeople(db, ['Ann', 'Marc', 'Paul'])
  const plan = await sharePlan(db, ann)
  await ann.sql`select declare_seller(true, ' Ann Ltd ', '1 Road,\nTown', 'ann@ltd.example', '')`
  expect(await single(marc.sql`select market_plan(${plan.id}) -> 'quote' -> 'seller'`)).toEqual(TRADER)
  expect(await single(marc.sql`select quote_plan(${plan.id}) -> 'seller'`)).toEqual(TRADER)
  expect(await single(VISITOR.sql`select market_plan(${plan.id}) -> 'quote' -> 'seller'`)).toEqual({
    ...PRIVATE,
    isTrader: true,
  })
  await sql`update shared_subscriptions set is_private = true where id = ${plan.id}`
  expect(await single(paul.sql`select market_plan(${plan.id})`)).toBeNull()
  // Declaring oneself a private person again deletes the imprint.
  await ann.sql`select declare_seller(false, 'Ann Ltd', '1 Road, Town', 'ann@ltd.example')`
  expect(await single(ann.sql`select quote_plan(${plan.id}) -> 'seller'`)).toEqual(PRIVATE)
  expect(await sql`select name, address, email from private.sellers where user_id = ${ann.id}`).toEqual([
    { name: null, address: null, email: null },
  ])
})
