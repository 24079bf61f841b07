// Member and owner pay each other: what both see, what either says, and that the other sees it at once.
import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { listening, openApp, toasted } from '../app.tsx'
import { scan } from '../scan.ts'
import { join, newPeople, type People, sharePlan } from '../sharing.ts'

const server = await testServer()
const IBAN = 'DE89370400440532013000'
let people: People
let planId: string

beforeEach(async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
  await join(people.olivia, people.marc, planId)
})

const open = (who: keyof People, address: string) => openApp(server, address, { as: people[who] })
const asMember = () => open('marc', `/manage-subscribed/${planId}`)
const asOwner = () => open('olivia', `/manage-shared/${planId}`)
const storeWish = (wish: object) =>
  people.olivia.client
    .from('payment_wishes')
    .insert({ user_id: people.olivia.id, ...wish } as never)
    .throwOnError()
const payCard = () => screen.findByRole('region', { name: /^Pay olivia/ })
const seatOf = () => screen.findByRole('article', { name: /^Payments of marc/ })
const payment = async () => {
  const { data } = await people.marc.client.from('member_payments').select('*').single().throwOnError()
  return data
}
/** What was pressed last has been done. */
const pressable = (button: HTMLElement) => waitFor(() => expect(button.hasAttribute('disabled')).toBe(false))
/** Lets so many days go by. */
const later = async (days: number) => {
  await server.db.query(`select private.move_clock($1::interval)`, [`${days} days`])
  await server.db.query(`select private.run_due_work(1000)`)
}

describe('an owner who is paid directly', () => {
  it('stores an account, a link or words; a wrong checksum is refused, and each can be taken back', async () => {
    const { user } = await open('olivia', '/account-settings')
    const card = within(await screen.findByRole('region', { name: 'How members pay you' }))
    await user.click(await card.findByRole('button', { name: 'Say how members pay you' }))
    await user.type(card.getByLabelText('IBAN'), 'DE88 3704 0044 0532 0130 00')
    await user.type(card.getByLabelText('Name on the account'), 'Olivia Brandt')
    await user.click(card.getByRole('button', { name: 'Save' }))
    await card.findByText('This is not a valid IBAN. Please check it digit by digit.')
    await user.clear(card.getByLabelText('IBAN'))
    await user.type(card.getByLabelText('IBAN'), 'de89 3704 0044 0532 0130 00')
    await user.click(card.getByRole('button', { name: 'Save' }))
    await card.findByText('Transfer to Olivia Brandt, DE89 3704 0044 0532 0130 00')
    const stored = () => people.olivia.client.from('payment_wishes').select('kind, iban, holder, link, note')
    expect((await stored()).data).toEqual([
      { kind: 'iban', iban: IBAN, holder: 'Olivia Brandt', link: null, note: null },
    ])

    await user.click(card.getByRole('button', { name: 'Change' }))
    await user.click(card.getByRole('radio', { name: 'Payment link' }))
    await user.type(card.getByLabelText('Address of the page'), 'javascript:alert(1)')
    await user.click(card.getByRole('button', { name: 'Save' }))
    await card.findByText('Please enter an address that begins with https://')
    await user.click(card.getByRole('radio', { name: 'In your own words' }))
    await user.type(card.getByLabelText('How to pay you'), 'Cash at dinner.')
    await user.click(card.getByRole('button', { name: 'Save' }))
    await card.findByText('Cash at dinner.')
    expect((await stored()).data).toEqual([
      { kind: 'text', iban: null, holder: null, link: null, note: 'Cash at dinner.' },
    ])
    await pressable(card.getByRole('button', { name: 'Remove' }))
    await user.click(card.getByRole('button', { name: 'Remove' }))
    await toasted('success', 'Removed', 'Members no longer see how to pay you.')
    await card.findByText('You have not said yet how you like to be paid.')
    expect((await stored()).data).toEqual([])
  })
})

describe('a member who pays the owner directly', () => {
  it('sees amount, due date, reference and a code that bank apps read, and copies what they need', async () => {
    await storeWish({ kind: 'iban', iban: IBAN, holder: 'Olivia Brandt' })
    const { user } = await asMember()
    const card = await payCard()
    await within(card).findByText('DE89 3704 0044 0532 0130 00')
    const { reference } = await payment()
    expect(reference).toMatch(/^PL-[0-9A-F]{8}-1$/)
    const copied = vi.spyOn(window.navigator.clipboard, 'writeText')
    expect(card.textContent).toMatch(/€5\.00Due just now, for .* to .*\. No fee\./)
    for (const [field, value] of [
      ['name', 'Olivia Brandt'],
      ['iban', IBAN],
      ['amount', '5.00'],
      ['reference', reference],
    ]) {
      await user.click(within(card).getByRole('button', { name: `Copy ${field}` }))
      expect(copied).toHaveBeenLastCalledWith(value)
    }
    const code = within(card).getByRole('img', { name: 'QR code for a transfer with your bank’s app' })
    expect(scan(code)).toBe(`BCD\n002\n1\nSCT\n\nOlivia Brandt\n${IBAN}\nEUR5.00\n\n\n${reference}`)
  })

  it('is led to a payment page, reads what the owner wrote, or is told to ask', async () => {
    await asMember()
    await within(await payCard()).findByText(/^olivia\d+ has not said yet how to be paid\. Ask in the chat/)
    await storeWish({ kind: 'link', link: 'https://pay.example/olivia' })
    await asMember()
    const link = await within(await payCard()).findByRole('link', { name: 'Open the payment page' })
    expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual([
      'https://pay.example/olivia',
      expect.stringContaining('noopener'),
    ])
    const wishes = people.olivia.client.from('payment_wishes')
    await wishes
      .update({ kind: 'text', note: 'Cash at dinner.' })
      .eq('user_id', people.olivia.id)
      .throwOnError()
    await asMember()
    await within(await payCard()).findByText('Cash at dinner.')
    expect(within(await payCard()).queryByRole('img')).toBeNull()
  })
})

describe('a payment from a member to the owner', () => {
  const nameOf = (who: keyof People) => people[who].email.split('@')[0]

  it('is said to be paid, not received with a sentence, paid again and received, live on both sides', async () => {
    const { user } = await asMember()
    await user.click(within(await payCard()).getByRole('button', { name: 'I’ve paid' }))
    await toasted('success', 'Thank you', `${nameOf('olivia')} is told, and confirms when it has arrived.`)
    await within(await payCard()).findByText(/that you have paid\./)

    const owner = await asOwner()
    const seat = within(await seatOf())
    await seat.findByText('Said to be paid')
    expect(seat.queryByRole('button', { name: 'Remind' })).toBeNull()
    await owner.user.click(seat.getByRole('button', { name: 'Not received' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Not received' }))
    await owner.user.type(dialog.getByLabelText(/^What is missing/), 'Nothing on my account yet.')
    await owner.user.click(dialog.getByRole('button', { name: 'Not received' }))
    await seat.findByText('Due')
    const { id, status, note } = await payment()
    expect([status, note]).toEqual(['due', 'Nothing on my account yet.'])
    // What the member does elsewhere shows here at once.
    await listening(`payments-${people.olivia.id}`)
    await people.marc.client.rpc('say_paid', { p_payment_id: id }).throwOnError()
    await seat.findByText('Said to be paid')

    await people.olivia.client
      .rpc('deny_payment', { p_payment_id: id, p_note: 'Still nothing.' })
      .throwOnError()
    await asMember()
    await within(await payCard()).findByText('Still nothing.')
    await listening(`payments-${people.marc.id}`)
    await people.olivia.client.rpc('confirm_payment', { p_payment_id: id }).throwOnError()
    await waitFor(() => expect(screen.queryByRole('region', { name: /^Pay olivia/ })).toBeNull())
    const place = within(await screen.findByRole('region', { name: 'Your place' }))
    await place.findByText(/^You pay olivia\d+ directly\. Paid until \d+ \w+ \d+\.$/)
    expect(place.getByText('Active')).toBeTruthy()
  })

  it('is received by the owner without a word of the member; both read the receipt, and nobody else', async () => {
    const { user } = await asOwner()
    await user.click(await within(await seatOf()).findByRole('button', { name: 'Received' }))
    await toasted('success', 'Payment Received', `${nameOf('marc')} has a receipt now.`)
    await within(await seatOf()).findByText(/^Paid until/)
    await user.click(screen.getByRole('link', { name: 'All payments' }))
    const table = await screen.findByRole('table', { name: 'Payments of members' })
    expect(table.textContent).toMatch(/marc\d+Netflix Premium.*€5\.00Paid\d{4}-\d{6}/)
    const { id, receipt_number: number, reference } = await payment()
    for (const who of ['olivia', 'marc'] as const) {
      await open(who, `/payments/${id}`)
      const receipt = await screen.findByRole('article', { name: `Receipt ${number}` })
      const facts = [
        'Paid on .*',
        'Frommarc\\d+',
        'Toolivia\\d+',
        'ForA place in Netflix Premium',
        'Period.* to .*',
      ]
      const sums = ['Share, to olivia\\d+€5\\.00', 'Fee, to this site€0\\.00', 'Paid€5\\.00']
      const how = ['How it was paidDirectly to olivia\\d+', `Reference${reference}`]
      expect(receipt.textContent).toMatch(new RegExp([...facts, ...how, ...sums].join('')))
    }
    await open('zoe', `/payments/${id}`)
    await screen.findByRole('heading', { name: 'Receipt not found' })
    await open('marc', '/payments')
    const own = within(await screen.findByRole('table', { name: 'What you pay' }))
    expect(own.getByRole('link', { name: String(number) }).getAttribute('href')).toBe(`/payments/${id}`)
    await open('olivia', '/payments?tab=received')
    expect((await screen.findByRole('table', { name: 'What you are paid' })).textContent).toMatch(/marc\d+/)
  })

  it('that is missing is asked for once a day, is late after three, and ends the seat after 14', async () => {
    await later(2)
    const { user } = await asOwner()
    const seat = within(await seatOf())
    await user.click(await seat.findByRole('button', { name: 'Remind' }))
    expect(seat.queryByRole('button', { name: 'End place' })).toBeNull()
    await toasted('success', 'Reminder Sent', `You can remind ${nameOf('marc')} again tomorrow.`)
    await pressable(seat.getByRole('button', { name: 'Remind' }))
    await user.click(seat.getByRole('button', { name: 'Remind' }))
    await toasted('error', 'You can remind somebody once a day')
    await later(12)
    // Screens go by the clock of whoever looks at them.
    const past = `update public.member_payments set due_at = now() - interval '14 days' where subscription_id = $1`
    await server.db.query(past, [planId])
    const again = await asOwner()
    const late = within(await seatOf())
    await waitFor(() => expect(late.getAllByText('Late')).toHaveLength(2))
    await again.user.click(late.getByRole('button', { name: 'End place' }))
    const dialog = within(await screen.findByRole('dialog', { name: /^End the place of marc/ }))
    await again.user.click(dialog.getByRole('button', { name: 'End place' }))
    await toasted('success', 'Place Free Again', `${nameOf('marc')} is no longer on this plan.`)
    const { data } = await people.olivia.client.from('subscription_members').select('user_id')
    expect(data?.map(({ user_id }) => user_id)).not.toContain(people.marc.id)
  })
})

describe('a member who leaves', () => {
  it('does so at the end of the month unless they say now, and can stay after all until then', async () => {
    const { user, at } = await asMember()
    await user.click(await screen.findByRole('button', { name: 'Leave' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Leave Subscription' }))
    const choices = await dialog.findAllByRole<HTMLInputElement>('radio')
    expect(choices.map(({ value, checked }) => [value, checked])).toEqual([
      ['later', true],
      ['now', false],
    ])
    expect(dialog.getByRole('radiogroup').textContent).toMatch(
      /On \d+ \w+ \d+, at the end of the monthYou keep access until then.*NowYou lose access to Netflix Premium at once/,
    )
    await user.click(dialog.getByRole('button', { name: 'Leave plan' }))
    const place = within(await screen.findByRole('region', { name: 'Your place' }))
    await place.findByText(/^Your place ends on \d+ \w+ \d+\./)
    expect(place.getByText('Leaving')).toBeTruthy()
    expect(at()).toBe(`/manage-subscribed/${planId}`)

    const owner = await asOwner()
    await within(await seatOf()).findByText(/Leaves on \d+ \w+ \d+\./)
    await listening(`payments-${people.olivia.id}`)
    const { data: seats } = await people.marc.client.rpc('my_seats').throwOnError()
    await people.marc.client.rpc('stay', { p_seat_id: seats[0]?.id ?? '' }).throwOnError()
    await waitFor(async () => expect((await seatOf()).textContent).not.toContain('Leaves on'))
    expect(owner.at()).toBe(`/manage-shared/${planId}`)
  })
})
