// Proves NOTIF 03-07
import { expect, it } from 'vitest'
import { leadsTo, toNotification, unreadCount, withRead } from './notification.ts'

const row = (id: string, more: object = {}) => ({
  id,
  type: 'success',
  title: 'Request Approved',
  message: 'You are in.',
  read: false,
  created_at: '2026-11-20T10:00:00Z',
  ...more,
})
const list = [toNotification(row('b')), toNotification(row('a', { read: true }))]

it.each([
  [[], 1],
  [['a'], 1],
  [['b'], 0],
  [null, 0],
])('of two notifications, one of them unread, reading %j (or all) leaves %i', (ids, left) =>
  expect(unreadCount(withRead(list, ids))).toBe(left),
)

it('keeps the kind, and shows one it does not know as info', () => {
  expect(toNotification(row('d', { type: 'warning' })).kind).toBe('warning')
  expect(toNotification(row('d', { type: 'parade' })).kind).toBe('info')
})

const place = { owner: 'Olivia', member: 'Marc' }

it.each([
  ['request-made', { subscription_id: 'sub-1' }, '/subscription/sub-1'],
  ['request-approved', { subscription_id: 'sub-1' }, '/subscription/sub-1'],
  ['request-rejected', { subscription_id: 'sub-1' }, null],
  ['request-approved', {}, null],
  ['access-given', { subscription_id: 'sub-1', params: place }, '/subscription/sub-1'],
  [
    'guest-note',
    { subscription_id: 'sub-1', params: { ...place, seat: 's-1' } },
    '/subscription/sub-1#guest-s-1',
  ],
  ['seat-ended', { params: place }, null],
  ['problem-fixed', { subscription_id: 'sub-1', params: { ...place, problem: 'p-1' } }, '/problems/p-1'],
  ['comes-first', { params: { seat: 's-1' } }, '/plans-like/s-1'],
  ['problem-to-decide', { params: { problem: 'p-1' } }, '/admin/problems'],
  ['payment-left-unpaid', { subscription_id: 'sub-1', params: place }, '/payments'],
  ['you-owe-member', { params: place }, '/payments?tab=received'],
  ['payment-received', { params: { ...place, payment: 'm-1' } }, '/payments'],
  ['payment-to-decide', { params: { plan: 'Netflix' } }, '/admin/problems'],
  ['payment-disputes-often', { params: { id: 'u-1' } }, '/admin/people/u-1'],
  ['payout-account-missing', { params: { id: 'u-1' } }, '/admin/people/u-1'],
  ['payment-disputed', { params: { plan: 'Netflix' } }, '/admin/disputes'],
])('leads from "%s" with %j to %s', (event, more, address) => {
  expect(leadsTo(toNotification(row('e', { event, ...more })))).toBe(address)
})
