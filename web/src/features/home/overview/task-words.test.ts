import { expect, test } from 'vitest'
import type { AwaitedTask, Task } from './home.queries.ts'
import { awaitedWords, wordsOf } from './task-words.ts'

const NOON = new Date(2026, 10, 24, 12).getTime()

const task = (kind: Task['kind'], rest: Partial<Task> = {}): Task => ({
  ...{
    kind,
    id: 'one',
    planId: 'sub-1',
    plan: 'Netflix Premium',
    provider: 'Netflix',
    person: 'Zoe',
    avatarUrl: null,
    people: [],
    amount: 5.5,
    currency: 'EUR',
    dueAt: null,
    lostAt: null,
    isOver: false,
    isOwn: false,
    ...rest,
  },
})

test.each<[Task['kind'], string, string, object]>([
  ['answer-request', 'Zoe wants to join', '/manage-shared/$planId', { planId: 'sub-1' }],
  ['give-access', 'Zoe has paid', '/manage-shared/$planId', { planId: 'sub-1' }],
  ['check-access', 'Does your access work?', '/manage-subscribed/$planId', { planId: 'sub-1' }],
  ['confirm-payment', 'Zoe says they’ve paid', '/manage-shared/$planId', { planId: 'sub-1' }],
  ['confirm-repayment', 'Zoe says they’ve paid you back', '/payments', {}],
  ['pay-back', 'You owe Zoe', '/payments', {}],
  ['say-where-to-pay-back', 'Zoe owes you', '/account-settings/money', {}],
  ['pay', 'Due today', '/manage-subscribed/$planId', { planId: 'sub-1' }],
  ['pay-again', 'Due again', '/manage-subscribed/$planId', { planId: 'sub-1' }],
  ['mend-payment', 'Payment failed', '/pay/$paymentId', { paymentId: 'one' }],
  ['confirm-card', 'Due, to be confirmed with the bank', '/pay/$paymentId', { paymentId: 'one' }],
  ['answer-problem', 'Zoe reports a problem', '/problems/$problemId', { problemId: 'one' }],
  ['check-fix', 'Zoe says it’s fixed', '/problems/$problemId', { problemId: 'one' }],
  [
    'change-password',
    'Someone who knew the password has left',
    '/manage-shared/$planId',
    { planId: 'sub-1' },
  ],
  ['answer-terms', 'Zoe proposes new terms', '/manage-subscribed/$planId', { planId: 'sub-1' }],
  ['take-place', 'A place is kept for you', '/subscription/$planId', { planId: 'sub-1' }],
  ['answer-invitation', 'Zoe invites you', '/invitation/$token', { token: 'one' }],
])('%s reads "%s" and is done at %s', (kind, title, to, params) => {
  const { title: read, link } = wordsOf(task(kind, { dueAt: new Date(NOON).toISOString() }), NOON)
  expect([read, link.to, 'params' in link ? link.params : {}]).toEqual([title, to, params])
})

test('a payment for a place that has ended is made and answered in My Payments', () => {
  expect(wordsOf(task('pay', { isOver: true, dueAt: '2026-11-20T12:00:00Z' }), NOON).link).toMatchObject({
    to: '/payments',
    search: {},
  })
  expect(wordsOf(task('confirm-payment', { isOver: true }), NOON).link).toMatchObject({
    search: { tab: 'received' },
  })
})

test('without a plan and a name it still reads', () => {
  expect(wordsOf(task('say-how-to-pay', { planId: null, plan: null, person: null }), NOON)).toMatchObject({
    title: 'Say how you’re paid',
    link: { to: '/account-settings/money' },
  })
  expect(wordsOf(task('answer-request', { person: '' }), NOON).title).toBe('Someone wants to join')
})

test('what staff decides, or a member has yet to confirm, is seen where the plan still is', () => {
  const link = (kind: AwaitedTask['kind'], rest: Partial<AwaitedTask>) =>
    awaitedWords({ ...task('pay'), kind, ...rest }, NOON).link
  for (const kind of ['await-decision', 'await-confirmation'] as const) {
    expect(link(kind, { isOwn: true })).toMatchObject({
      to: '/manage-shared/$planId',
      search: { section: 'money' },
    })
    expect(link(kind, { isOver: true })).toMatchObject({ to: '/payments' })
  }
})

test.each<[AwaitedTask['kind'], number, string, string]>([
  ['await-access', 2, 'You paid €5.50. Zoe has until Thursday to let you in', '/manage-subscribed/$planId'],
  ['await-access', 0, 'You paid €5.50. Zoe has until today to let you in', '/manage-subscribed/$planId'],
  ['await-answer', 1, 'Zoe has until tomorrow to answer your request', '/subscription/$planId'],
  ['await-answer', 9, 'Zoe has until 3 December to answer your request', '/subscription/$planId'],
  ['await-decision', 0, 'Sent, our team decides', '/manage-subscribed/$planId'],
  ['await-confirmation', 0, 'Sent, waiting for Zoe', '/manage-subscribed/$planId'],
])('%s, %i days ahead, reads "%s"', (kind, days, title, to) => {
  const dueAt = new Date(NOON + days * 24 * 3_600_000).toISOString()
  expect(awaitedWords({ ...task('pay'), kind, dueAt }, NOON)).toMatchObject({ title, link: { to } })
})
