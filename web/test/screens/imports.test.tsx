// Plans imported from elsewhere, and payments found in a bank statement: previewed, carried out once, and reported.
import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { openApp, toasted } from '../app.tsx'
import { card, control, dialog, region } from '../parts.ts'
import { nameOf } from '../people.ts'
import { join, letIn, newPeople, type People, sharePlan } from '../sharing.ts'

const server = await testServer()
let people: People
beforeEach(async () => {
  people = await newPeople(server)
})
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const plans = async () =>
  (
    await people.olivia.client
      .from('shared_subscriptions')
      .select('catalogue_plan_id, owner_max_members, next_payment, is_private')
      .eq('owner_id', people.olivia.id)
  ).data

/** A Spliit group, as Spliit exports it. */
const spliit = (names: string[], currencyCode: string, expenses: object[]) =>
  JSON.stringify({
    ...{ name: 'Flat', currencyCode, participants: names.map((name, id) => ({ id: String(id), name })) },
    expenses: expenses.map((one) => ({
      ...{ paidById: '0', expenseDate: `${inDays(-5)}T00:00:00.000Z`, recurrenceRule: 'MONTHLY' },
      ...{ splitMode: 'EVENLY', paidFor: each(names.map(() => 100)), ...one },
    })),
  })
const each = (shares: number[]) => shares.map((one, id) => ({ participantId: String(id), shares: one }))
const choose = async (user: User, name: string, content: string) =>
  user.upload(await screen.findByLabelText('Choose a file'), new File([content], name))
const iAm = async (user: User, name: string) => {
  await user.click((await region('Which of them are you?')).getByRole('combobox'))
  await user.click(await screen.findByRole('option', { name }))
}
type User = Awaited<ReturnType<typeof openApp>>['user']

it('a group of five becomes a plan of their own, in their currency, with their shares and a link for each', async () => {
  const group = spliit(['Liv', 'Ben', 'Cleo', 'Dora', 'Emil'], 'GBP', [
    { title: 'Kagi Family', amount: 2000, splitMode: 'BY_AMOUNT', paidFor: each([600, 500, 400, 300, 200]) },
    { title: 'Spotify', amount: 1799, paidById: '1' },
    { title: 'Pizza', amount: 3000, recurrenceRule: 'NONE' },
  ])
  const { user } = await openApp(server, '/import', { as: people.olivia })
  await choose(user, 'wrong.json', '{}')
  await toasted(
    'error',
    'This file can’t be used',
    'This is not a Spliit export. In Spliit, choose Export, then JSON.',
  )
  await choose(user, 'flat.json', group)
  await iAm(user, 'Liv')
  const kagi = await card('Kagi Family')
  kagi.getByText('£20.00 a month for 5 people, £6.00 of it yours to pay.')
  kagi.getByText('Ben: £5.00 · Cleo: £4.00 · Dora: £3.00 · Emil: £2.00')
  const stays = await region('2 stay where they are')
  stays.getByText('Ben pays for it, so only they can share it.')
  stays.getByText('Paid once, or at no regular time.')
  // A place that nobody takes stays free, and its share is the owner's.
  await user.type(kagi.getByLabelText('Who is in it, besides you?', { selector: 'input' }), '{Backspace}')
  await kagi.findByText('£20.00 a month for 5 people, £8.00 of it yours to pay.')
  await user.type(kagi.getByLabelText('Who is in it, besides you?', { selector: 'input' }), 'Emil{Enter}')
  await kagi.findByText('£20.00 a month for 5 people, £6.00 of it yours to pay.')
  expect(await plans()).toEqual([])
  await user.click(await control('Share 1 plan'))
  const paying = await dialog('How you are paid')
  await user.click(await paying.findByLabelText('In your own words'))
  await user.type(paying.getByLabelText('How to pay you'), 'Cash at dinner')
  await user.click(paying.getByText('Save'))
  await screen.findByText('1 plan is shared')
  const links = (await screen.findAllByTitle(/\/place#/)).map((link) => link.title)
  expect(new Set(links).size).toBe(4)
  const { data } = await people.zoe.client.rpc('my_place', { p_secret: links[0]?.split('#')[1] ?? '' })
  expect(data).toMatchObject({ name: 'Ben', share: 5, currency: 'GBP', plan: 'Family' })

  await user.click(await control('Another file'))
  await choose(user, 'flat.json', group)
  await iAm(user, 'Liv')
  await screen.findByText('Nothing new to share')
  await screen.findByText('You share it already.')
})

it('a plan of the catalogue keeps its terms, and invites whoever has an address', async () => {
  const group = spliit(['Liv', 'Ben', 'Cleo', 'Dora'], 'EUR', [
    { title: 'Netflix 4K', amount: 1999 },
    { title: 'Disney', amount: 1200 },
  ])
  await people.olivia.client.from('payment_wishes').insert({ kind: 'text', note: 'Cash' }).throwOnError()
  const { user } = await openApp(server, '/import', { as: people.olivia })
  await choose(user, 'flat.json', group)
  await iAm(user, 'Liv')
  const netflix = await card('Netflix Premium')
  netflix.getByText('4 places, yours included. €19.99 a month, €5.00 each.')
  await user.type(netflix.getByLabelText('Email of Ben'), 'ben@potluck.example')
  // Disney+ costs something else, so the group's own plan is offered first.
  const disney = await card('Disney Flat')
  await user.click(disney.getByLabelText('Plan', { selector: 'input' }))
  await user.click(await screen.findByRole('option', { name: 'Disney+ Premium' }))
  await (await card('Disney+ Premium')).findByText(
    'Where it comes from it costs €12.00. Prices here are the catalogue’s.',
  )
  await user.click(await control('Share 2 plans'))
  await screen.findByText('2 plans are shared')
  await screen.findByText('ben@potluck.example is invited.')
  expect(screen.getAllByTitle(/\/place#/)).toHaveLength(5)
  const plan = (id: string) => ({
    catalogue_plan_id: id,
    owner_max_members: 4,
    next_payment: expect.any(String),
    is_private: true,
  })
  expect(await plans()).toEqual(
    expect.arrayContaining([plan('netflix-premium'), plan('disney-plus-premium')]),
  )
})

it('a plan that is left out makes no room for another of its provider, which was said to stay', async () => {
  const table = `service,price,renews\nNetflix,19.99,${inDays(9)}\nNetflix,13.99,${inDays(9)}\nTidal,17.99,${inDays(9)}`
  const { user } = await openApp(server, '/import?from=table', { as: people.olivia })
  await user.upload(await screen.findByLabelText('Choose a file'), new File([table], 'plans.csv'))
  await screen.findByText('Another row is of Netflix, and you can share one plan of each provider.')
  await user.click(await screen.findByLabelText('Bring along Netflix Premium'))
  await user.click(await control('Share 1 plan'))
  await screen.findByText('1 plan is shared')
  await region('1 stays where it is')
  expect((await plans())?.map((plan) => plan.catalogue_plan_id)).toEqual(['tidal-family'])
})

it('a file that does not say who pays asks it, and whoever shares a row that names nobody', async () => {
  const group = spliit(['Liv', 'Ben'], 'EUR', [
    {
      ...{ title: 'Power', amount: 1999, paidById: undefined },
      paidByList: ['0', '1'].map((participantId) => ({ participantId, shares: 1 })),
    },
    { title: 'Kagi Family', amount: 1000, paidFor: [{ participantId: '0', shares: 1 }] },
  ])
  const { user } = await openApp(server, '/import', { as: people.olivia })
  await choose(user, 'flat.json', group)
  await iAm(user, 'Liv')
  const power = await card('Power Flat')
  power.getByText('The file does not say who pays for it. Tick it if you do.')
  await user.click(power.getByLabelText('Bring along Power Flat'))
  await control('Share 1 plan')
  const stays = await region('1 stays where it is')
  stays.getByText('The file doesn’t say who shares it with you.')
  await user.click(stays.getByRole('button', { name: 'Bring along Kagi Family' }))
  const kagi = await card('Kagi Family')
  await user.type(
    kagi.getByLabelText('Who is in it, besides you?', { selector: 'input' }),
    'Potluck Support{Enter}',
  )
  await kagi.findByText('“Potluck Support” can’t be used as a name.')
  await user.type(
    kagi.getByLabelText('Who is in it, besides you?', { selector: 'input' }),
    '{Backspace}Mum{Enter}',
  )
  await kagi.findByText('€10.00 a month for 2 people, €5.00 of it yours to pay.')
  await control('Share 2 plans')
  await user.click(await control('Another file'))
  // In a group of one, nobody but the person has a place.
  await choose(user, 'alone.json', spliit(['Liv'], 'EUR', [{ title: 'Kagi Family', amount: 1000 }]))
  await screen.findByText('Nothing new to share')
  await screen.findByText('The file doesn’t say who shares it with you.')
})

it('a day that may be two is chosen in one press', async () => {
  const year = new Date().getFullYear() + 1
  const { user } = await openApp(server, '/import?from=table', { as: people.olivia })
  const table = `service,price,renews\nNetflix,19.99,03/04/${year}`
  await user.upload(await screen.findByLabelText('Choose a file'), new File([table], 'plans.csv'))
  const netflix = await card('Netflix')
  netflix.getByText('When does it renew next?')
  netflix.getByRole('button', { name: `3 April ${year}` })
  await user.click(netflix.getByRole('button', { name: `4 March ${year}` }))
  await user.click(await control('Share 1 plan'))
  await screen.findByText('1 plan is shared')
  expect((await plans())?.map((plan) => plan.next_payment)).toEqual([`${year}-03-04`])
})

it('an owner confirms in one press what has arrived, and the same statement changes nothing', async () => {
  const { olivia, marc } = people
  const planId = await sharePlan(olivia)
  await join(olivia, marc, planId)
  await letIn(server)
  await olivia.client.from('payment_wishes').insert({ kind: 'text', note: 'Cash' }).throwOnError()
  const payment = async () =>
    (await marc.client.from('member_payments').select('reference, status').single().throwOnError()).data
  const entry = (
    amount: string,
    name: string,
    text: string,
  ) => `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
    <BookgDt><Dt>${inDays(0)}</Dt></BookgDt><AcctSvcrRef>${name}</AcctSvcrRef><NtryDtls><TxDtls><RltdPties><Dbtr><Nm>${name}</Nm></Dbtr></RltdPties>
    <RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`
  const xml = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>${entry('5.00', 'M Brandt', (await payment()).reference)}
    ${entry('2000.00', 'Salary', 'November')}</Stmt></BkToCstmrStmt></Document>`
  const { user } = await openApp(server, '/payments?tab=received', { as: olivia })
  await user.click(await control('Who has paid? Read your bank statement'))
  const read = async () =>
    user.upload(await screen.findByLabelText('Choose statements'), new File([xml], 'november.xml'))
  await read()
  const arrived = await region('1 payment has arrived')
  arrived.getByText(new RegExp(`^${nameOf(marc)} for Netflix Premium, due `))
  arrived.getByText('Has its reference.')
  await screen.findByText('1 other entry has nothing to do with your members.')
  expect((await payment()).status).toBe('due')
  await user.click(await control('Confirm 1 payment'))
  await (await region('1 payment received')).findByText(`Received. ${nameOf(marc)} now has a receipt.`)
  expect((await payment()).status).toBe('paid')
  await user.click(await control('Another statement'))
  await read()
  await screen.findByText('Confirmed already.')
  await waitFor(() => expect(screen.queryByText(/Confirm 1 payment/)).toBeNull())
})

it('what an owner leaves out of a statement stays out, and can still be confirmed', async () => {
  const { olivia, marc, zoe } = people
  const planId = await sharePlan(olivia)
  await join(olivia, marc, planId)
  await join(olivia, zoe, planId)
  await letIn(server)
  await olivia.client.from('payment_wishes').insert({ kind: 'text', note: 'Cash' }).throwOnError()
  const paid = await Promise.all(
    [marc, zoe].map(async ({ client }) => {
      const { data } = await client.from('member_payments').select('reference').single().throwOnError()
      return `<Ntry><Amt Ccy="EUR">5</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${inDays(0)}</Dt></BookgDt>
        <AcctSvcrRef>${data.reference}</AcctSvcrRef><AddtlNtryInf>${data.reference}</AddtlNtryInf></Ntry>`
    }),
  )
  const xml = `<Document><BkToCstmrStmt><Stmt>${paid.join('')}</Stmt></BkToCstmrStmt></Document>`
  const { user } = await openApp(server, '/payments/statement', { as: olivia })
  await user.upload(await screen.findByLabelText('Choose statements'), new File([xml], 'november.xml'))
  const arrived = await region('2 payments have arrived')
  await user.click(arrived.getByLabelText(new RegExp(`^${nameOf(zoe)} for`)))
  await user.click(await control('Confirm 1 payment'))
  await region('1 payment received')
  const left = (await region('1 payment has arrived')).getByRole<HTMLInputElement>('checkbox')
  expect(left.checked).toBe(false)
  await user.click(left)
  await user.click(await control('Confirm 1 payment'))
  await screen.findByText(`Received. ${nameOf(zoe)} now has a receipt.`)
})
