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

it('counts the notifications that are not read', () => {
  expect(unreadCount(list)).toBe(1)
  expect(unreadCount([])).toBe(0)
})

it('reads all when no ids are given, and only those given', () => {
  expect(unreadCount(withRead(list, null))).toBe(0)
  expect(unreadCount(withRead(list, ['a']))).toBe(1)
  expect(unreadCount(withRead(list, ['b']))).toBe(0)
})

it('keeps the kind, and shows one it does not know as info', () => {
  expect(toNotification(row('d', { type: 'warning' })).kind).toBe('warning')
  expect(toNotification(row('d', { type: 'parade' })).kind).toBe('info')
})

const place = { owner: 'Olivia', member: 'Marc' }

it.each([
  ['New Join Request', { subscription_id: 'sub-1' }, '/subscription/sub-1'],
  ['Request Approved', { subscription_id: 'sub-1' }, '/subscription/sub-1'],
  ['Request Rejected', { subscription_id: 'sub-1' }, null],
  ['Request Approved', {}, null],
  [
    'You Have Access',
    { subscription_id: 'sub-1', event: 'access-given', params: place },
    '/subscription/sub-1',
  ],
  ['Membership Ended', { event: 'seat-ended', params: place }, null],
  ['Is It Fixed?', { subscription_id: 'sub-1', params: { ...place, problem: 'p-1' } }, '/problems/p-1'],
  ['You Come First', { event: 'comes-first', params: { seat: 's-1' } }, '/plans-like/s-1'],
  ['A Problem To Decide', { event: 'problem-to-decide', params: { problem: 'p-1' } }, '/admin/problems'],
])('leads from "%s" with %j to %s', (title, more, address) => {
  expect(leadsTo(toNotification(row('e', { title, ...more })))).toBe(address)
})
