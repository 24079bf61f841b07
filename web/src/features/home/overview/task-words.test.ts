import { expect, test } from 'vitest'
import type { Task } from './home.queries.ts'
import { wordsOf } from './task-words.ts'

const task = (kind: Task['kind'], rest: Partial<Task> = {}): Task => ({
  ...{
    kind,
    id: 'one',
    planId: 'sub-1',
    plan: 'Netflix Premium',
    person: 'Zoe',
    amount: 5.5,
    dueAt: null,
    ...rest,
  },
})

test.each<[Task['kind'], string, string, object]>([
  ['answer-request', 'Zoe asks for a place', '/manage-shared/$planId', { planId: 'sub-1' }],
  ['give-access', 'Zoe has paid and waits to get in', '/manage-shared/$planId', { planId: 'sub-1' }],
  ['check-access', 'You have access. Does it work?', '/manage-subscribed/$planId', { planId: 'sub-1' }],
  ['confirm-payment', 'Zoe says that €5.50 is paid', '/manage-shared/$planId', { planId: 'sub-1' }],
  ['pay', 'Zoe gets €5.50 from you', '/manage-subscribed/$planId', { planId: 'sub-1' }],
  ['pay-again', 'Zoe has not received €5.50', '/manage-subscribed/$planId', { planId: 'sub-1' }],
  ['mend-payment', '€5.50 could not be charged', '/pay/$paymentId', { paymentId: 'one' }],
  ['confirm-card', 'Your bank asks you to confirm €5.50', '/pay/$paymentId', { paymentId: 'one' }],
  ['answer-problem', 'Zoe reports a problem', '/problems/$problemId', { problemId: 'one' }],
  ['check-fix', 'Zoe says that it works again', '/problems/$problemId', { problemId: 'one' }],
  [
    'change-password',
    'Somebody has left who knows the password',
    '/manage-shared/$planId',
    { planId: 'sub-1' },
  ],
  ['answer-terms', 'Zoe proposes new terms', '/manage-subscribed/$planId', { planId: 'sub-1' }],
  ['take-place', 'A place is kept for you', '/subscription/$planId', { planId: 'sub-1' }],
  ['answer-invitation', 'Zoe invites you', '/invitation/$token', { token: 'one' }],
])('%s reads "%s" and is done at %s', (kind, title, to, params) => {
  expect(wordsOf(task(kind))).toMatchObject({ title, link: { to, params } })
})

test('without a plan and a name it still reads', () => {
  expect(wordsOf(task('say-how-to-pay', { planId: null, plan: null, person: null }))).toMatchObject({
    title: 'Your members do not see yet how to pay you',
    link: { to: '/account-settings' },
  })
  expect(wordsOf(task('answer-request', { person: '' })).title).toBe('Somebody asks for a place')
})
