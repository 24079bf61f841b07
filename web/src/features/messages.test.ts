// Tests the messages about success, and about failures by code and message.
// Proves PLAN 03 14, MEMB 07, ERR 16 19-21 23 25 27 30-42 45 47 53 54, LIMIT 17, VALID 12
import { refusals } from '@potluck/supabase/refusals'
import { expect, test } from 'vitest'
import { AppError, PLAN_NOT_FOUND, SESSION_UNKNOWN, SIGNED_OUT } from '#lib/errors.ts'
import { toastsOf } from '../../test/toasts.ts'
import { joinRequestToasts } from './joining/join-requests/join-requests.messages.ts'
import { joinFailure } from './joining/join-requests/request-to-join.messages.ts'
import { membershipToasts } from './joining/memberships/memberships.messages.ts'
import { adjustmentToasts } from './money/treasury/treasury.messages.ts'
import { notAuthenticated, notValid, withdrawalFailure } from './money/wallet/wallet.messages.ts'
import { withdrawalToasts } from './money/withdrawals/withdrawals.messages.ts'
import { chatToasts, dialogText, messagesFailedText } from './people/chat/chat.messages.ts'
import { requestFailure } from './plans/provider-requests/provider-requests.messages.ts'
import { planLoadText, priceWarning } from './plans/shared-plans/plans.messages.ts'
import { createFailure } from './plans/sharing/create-plan.messages.ts'
import { assignmentToasts, systemRoleToasts } from './staff/roles/roles.messages.ts'

const WAIT = 'Rate limit exceeded. Please wait 7 seconds.'
const TOO_MANY = ['PT429', WAIT, `warning: Too Many Requests / ${WAIT}`] as const
const OFFLINE = ['offline', 'fetch failed'] as const
const NO_ANSWER = 'no answer from the server'
const LAST = ['23514', 'The last super-admin cannot be removed'] as const

type Case<Told> = readonly [code: string, message: string, told: Told]
/** Flattens the cases: one row for each failure of each action. */
const rows = <Tell, Told>(acts: [what: string, tell: Tell, cases: Case<Told>[]][]) =>
  acts.flatMap(([what, tell, cases]) => cases.map((one) => [what, ...one, tell] as const))

const remove = (problem: AppError) => membershipToasts.removeFailed(problem, 'Marc')
const roleStays = (from: 'super-admin' | 'moderator' | null, to: 'admin' | null) => (problem: AppError) =>
  assignmentToasts.failed(problem, { from, to })

test.each(
  rows<(problem: AppError) => void, string | undefined>([
    [
      'an approval',
      joinRequestToasts.approveFailed,
      [['XX000', 'The disk is full.', 'error: Failed to approve request / The disk is full.']],
    ],
    [
      'a rejection',
      joinRequestToasts.rejectFailed,
      [['XX000', 'The disk is full.', 'error: Failed to reject request / The disk is full.'], TOO_MANY],
    ],
    [
      'a list of requests',
      joinRequestToasts.listFailed,
      [
        ['XX000', 'no', 'error: Error Loading Requests / Failed to fetch pending requests'],
        TOO_MANY,
        ['aborted', '', undefined],
      ],
    ],
    [
      'a removal',
      remove,
      [
        ['signed_out', '', 'error: You must be logged in to remove members'],
        ['42501', 'no', 'error: Permission Denied / Only the subscription owner can remove members'],
        TOO_MANY,
        [
          ...OFFLINE,
          `error: Failed to remove member. Please try again. / Could not remove Marc: ${NO_ANSWER}`,
        ],
        ['XX000', 'the disk is full', 'error: Failed to remove member: the disk is full'],
        ['XX000', '', 'error: Failed to remove member: Marc'],
      ],
    ],
    [
      'leaving',
      membershipToasts.leaveFailed,
      [
        ['P0001', 'Your last payment is open', 'error: Your last payment is open'],
        ['P0001', '', 'error: Failed to leave subscription'],
        [...OFFLINE, 'error: Failed to leave subscription'],
      ],
    ],
    [
      'sending',
      chatToasts.sendFailed,
      [
        ['42501', 'no', 'error: Unauthorized: Cannot send message to this conversation'],
        ['23514', 'The plan is over', 'error: Failed to send message: The plan is over'],
        [...OFFLINE, `error: Failed to send message: ${NO_ANSWER}`],
        TOO_MANY,
      ],
    ],
    [
      'marking as read',
      chatToasts.markReadFailed,
      [
        ['42501', 'no', 'error: Unauthorized: Cannot mark conversation as read'],
        ['XX000', 'disk full', 'error: Failed to mark conversation as read: disk full'],
        [...OFFLINE, `error: Failed to mark conversation as read: ${NO_ANSWER}`],
      ],
    ],
    ['a first role', roleStays(null, 'admin'), [[...OFFLINE, 'error: Error / Failed to assign user role']]],
    [
      'taking a role',
      roleStays('super-admin', null),
      [
        [...OFFLINE, 'error: Error / Failed to remove user role'],
        [...LAST, `error: Update Failed / ${LAST[1]}`],
      ],
    ],
    [
      'another role',
      roleStays('moderator', 'admin'),
      [[...OFFLINE, 'error: Update Failed / Failed to update user role']],
    ],
    [
      'saving a role',
      systemRoleToasts.refused,
      [
        ['23505', 'duplicate key', 'error: Error / There is already a role with this name'],
        [...LAST, `error: Error / ${LAST[1]}`],
        [...OFFLINE, 'error: Error / The role could not be saved. Please try again.'],
      ],
    ],
    [
      'a payout',
      withdrawalToasts.refused,
      [
        ['23514', 'A completed withdrawal is over', 'error: Error / A completed withdrawal is over'],
        ['XX000', '', 'error: Error / Failed to update withdrawal'],
      ],
    ],
    [
      'an adjustment',
      adjustmentToasts.refused,
      [
        ['23514', 'The balance cannot go below zero', 'error: Error / The balance cannot go below zero'],
        ['XX000', '', 'error: Error / Failed to adjust wallet'],
      ],
    ],
  ]),
)('the toast for %s that failed with %s "%s": %s', (_what, code, message, told, tell) =>
  expect(toastsOf(() => tell(new AppError(code, message)))).toEqual(told ? [told] : []),
)

test.each([
  [null, 'moderator', 'success: Role Assigned / User has been assigned the moderator role'],
  ['moderator', 'admin', 'success: Role Updated / User has been assigned the admin role'],
  ['super-admin', null, 'success: Role Removed / User role has been successfully removed'],
] as const)('a role that was %s and is now %s is told as "%s"', (from, to, told) =>
  expect(toastsOf(() => assignmentToasts.done({ from, to }))).toEqual([told]),
)

test('a refresh too early is told how long to wait', () =>
  expect(toastsOf(() => joinRequestToasts.tooEarly(3))).toEqual([
    'warning: Please wait 3 seconds before refreshing.',
  ]))

test('a bad connection is told at most once in 60 seconds', () => {
  const start = Date.parse('2026-11-21T12:00:00Z')
  const text = 'Some subscription details may not be up to date. Please refresh if needed.'
  const told = [0, 59_999, 60_000].map((later) =>
    toastsOf(() => membershipToasts.connectionIssue(start + later)),
  )
  const once = [`warning: Connection Issue / ${text}`]
  expect(told).toEqual([once, [], once])
})

const SIGN_IN = 'Please sign in to access chat features.'
const NO_ACCESS = "You don't have permission to access this chat."
const UNREAD = 'Database error: the subscription could not be read. Please try again.'

test.each(
  rows<(problem: AppError) => string, string>([
    [
      'a chat',
      dialogText,
      [
        ['42501', 'Please sign in, you have no access while it is being initialized', SIGN_IN],
        ['42501', 'Authentication required', SIGN_IN],
        ['42501', 'User does not have access while it is being initialized', NO_ACCESS],
        ['42501', 'permission denied for table conversations', NO_ACCESS],
        ['P0001', 'Chat is being initialized.', 'Chat is being set up. Please try again in a moment.'],
        ['42501', 'Subscription not found', 'Subscription not found'],
      ],
    ],
    [
      'messages',
      messagesFailedText,
      [
        ['XX000', 'disk full', 'Failed to fetch messages: disk full'],
        ['XX000', '', `Failed to fetch messages: ${NO_ANSWER}`],
        [...OFFLINE, `Failed to fetch messages: ${NO_ANSWER}`],
      ],
    ],
    [
      'a plan',
      planLoadText,
      [
        [PLAN_NOT_FOUND, 'Subscription not found or not yours', 'Subscription not found or not yours'],
        ['timed_out', 'Request timeout', 'Request timeout'],
        [
          ...OFFLINE,
          "We couldn't load some of your subscription details. This might be due to network issues or access limitations.",
        ],
        ['42703', 'column "secret" does not exist', UNREAD],
        ['PGRST200', 'no relationship to "secret"', UNREAD],
        ['unknown', 'Something people can read', 'Something people can read'],
        ['unknown', '', 'Subscription not found'],
      ],
    ],
    [
      'the plan one asks to join',
      (problem) => joinFailure(problem).text,
      [
        ['PT404', '', "Couldn't fetch subscription details"],
        ['offline', '', 'An unexpected error occurred'],
      ],
    ],
    [
      'a creation',
      (problem) => createFailure(problem).text,
      [
        ['23505', 'duplicate key', 'Each user can only share one plan per service provider.'],
        ['23514', 'Renewal date cannot be in the past.', 'Renewal date cannot be in the past.'],
      ],
    ],
  ]),
)('what failed of %s with %s "%s" reads: %s', (_what, code, message, text, read) =>
  expect(read(new AppError(code, message))).toBe(text),
)

test.each([
  ['23514', 'plan_full', 'Subscription Full', true],
  ['23514', 'places_reserved', 'Subscription Full', true],
  ['23505', 'already_requested', 'Request Already Sent', true],
  ['23505', 'already_member', 'Already a Member', true],
  ['PT404', 'plan_not_found', 'Request Failed', true],
  ['42501', 'request_of_another', 'Request Failed', false],
  ['offline', undefined, 'Request failed', false],
])('a request to join refused with %s "%s" is titled "%s"; final: %s', (code, refusal, title, final) => {
  const message = refusal ? (refusals[refusal]?.[1] ?? '') : 'fetch failed'
  expect(joinFailure(new AppError(code, message, { refusal }))).toMatchObject({ title, final })
})

test.each([
  [SIGNED_OUT, 'Authentication Required', 'sign-out'],
  ['PGRST301', 'Session Expired', 'sign-out'],
  ['PGRST302', 'Session Expired', 'sign-out'],
  ['PGRST303', 'Session Expired', 'sign-out'],
  ['PT401', 'Session Expired', 'sign-out'],
  [SESSION_UNKNOWN, 'Authentication Error', 'stay'],
  ['23505', 'Duplicate Subscription', 'existing-plan'],
  ['42501', 'Permission Error', 'sign-out'],
  ['23514', 'Validation Error', 'stay'],
  ['XX000', 'Error Creating Subscription', 'stay'],
  ['offline', 'Error Creating Subscription', 'stay'],
  ['aborted', 'Error Creating Subscription', 'stay'],
])('a creation that failed with %s is titled "%s" and leads to: %s', (code, title, next) =>
  expect(createFailure(new AppError(code, 'A reason.'))).toMatchObject({ title, next }),
)

const INVALID = 'Invalid data format. Please check your inputs and try again.'
const NETWORK = 'Network error. Please check your connection and try again.'
const OTHER = 'Failed to submit provider request. Please try again.'

test.each([
  ['23514', 'new row for relation "provider_requests" violates check constraint', INVALID, undefined],
  ['42501', 'new row Violates row-level security policy', INVALID, undefined],
  ['XX000', 'The network is unreachable', NETWORK, undefined],
  ['unknown', 'NetworkError when attempting to fetch resource.', NETWORK, undefined],
  ['offline', 'TypeError: Failed to fetch', NETWORK, undefined],
  ['XX000', 'out of memory', OTHER, undefined],
  ['23514', 'Please enter a valid URL', OTHER, 'Please enter a valid URL'],
  ['PT429', WAIT, OTHER, WAIT],
])('a provider request that failed with %s "%s" is told as "%s" (%s)', (code, message, title, reason) =>
  expect(requestFailure(new AppError(code, message))).toEqual({ title, reason }),
)

test.each([
  [notValid({ message: 'Minimum withdrawal amount is 20 coins' }), 'Minimum withdrawal amount is 20 coins'],
  [notValid({}), 'Validation failed'],
  [notAuthenticated(), 'User not authenticated'],
  [new AppError('PGRST301', 'JWT expired', { status: 401 }), 'User not authenticated'],
  [new AppError('offline', 'Failed to fetch'), 'Failed to process withdrawal'],
  [new AppError('XX000', 'out of memory', { status: 500 }), 'Failed to process withdrawal'],
])('a withdrawal that fails with %s is told as "%s"', (problem, told) =>
  expect(withdrawalFailure(problem)).toBe(told),
)

test('a share that cannot be right is warned of', () => {
  const warning =
    'The subscription price information may be incomplete. Please contact the plan owner for details.'
  expect([-1, 0, 0.01].map(priceWarning)).toEqual([warning, warning, null])
})
