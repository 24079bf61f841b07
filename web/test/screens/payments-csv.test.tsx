// All periods of a plan as a table that its owner takes along.
import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { openApp } from '../app.tsx'
import { join, newPeople, sharePlan } from '../sharing.ts'

const server = await testServer()

it('lists each period of each member, those who have left too; what would be a formula is text', async () => {
  const { olivia, marc, zoe } = await newPeople(server)
  const planId = await sharePlan(olivia)
  await join(olivia, marc, planId)
  await join(olivia, zoe, planId)
  for (const [person, name] of [
    [marc, '=HYPERLINK("https://evil.example")'],
    [zoe, '@SUM(A1:A9), "Zoe"'],
  ] as const)
    await person.client
      .from('user_profiles')
      .update({ display_name: name })
      .eq('user_id', person.id)
      .throwOnError()
  const { data: first } = await marc.client.from('member_payments').select('*').single().throwOnError()
  await marc.client.rpc('say_paid', { p_payment_id: first.id }).throwOnError()
  await olivia.client
    .rpc('deny_payment', { p_payment_id: first.id, p_note: '+49 30 is my number' })
    .throwOnError()
  await olivia.client.rpc('confirm_payment', { p_payment_id: first.id }).throwOnError()
  await zoe.client.from('subscription_members').delete().eq('user_id', zoe.id).throwOnError()
  await server.db.query(`select private.move_clock('32 days')`)
  await server.db.query('select private.run_due_work(1000)')
  const { data: second } = await marc.client
    .from('member_payments')
    .select('*')
    .eq('number', 2)
    .single()
    .throwOnError()
  await marc.client.rpc('say_paid', { p_payment_id: second.id }).throwOnError()
  await olivia.client.rpc('deny_payment', { p_payment_id: second.id, p_note: '-5 is missing' }).throwOnError()

  const saved = vi.fn((_file: Blob) => 'blob:payments')
  Object.assign(URL, { createObjectURL: saved, revokeObjectURL: vi.fn() })
  const { user } = await openApp(server, `/manage-shared/${planId}/payments`, { as: olivia })
  await user.click(await screen.findByRole('button', { name: 'Download as CSV' }))
  await waitFor(() => expect(saved).toHaveBeenCalledOnce())
  const file = saved.mock.calls[0]?.[0]
  expect(file?.type).toBe('text/csv;charset=utf-8')
  const [head, ...lines] = (await file?.text())?.trim().split('\r\n') ?? []
  expect(head).toContain('Member,Number,From,Until,Due,Share EUR,Fee EUR,Amount EUR,State')
  expect(lines).toEqual([
    expect.stringMatching(
      new RegExp(`^"'=HYPERLINK\\(""https://evil\\.example""\\)",1,.*,5,0,5,Paid,.*,${first.reference},$`),
    ),
    expect.stringMatching(/^"'@SUM\(A1:A9\), ""Zoe""",1,.*,5,0,5,Called off,/),
    expect.stringMatching(
      new RegExp(`^"'=HYPERLINK.*,2,.*,5,0,5,Upcoming,.*,${second.reference},"'-5 is missing"$`),
    ),
  ])
})
