import { type Cells, everybody, NOBODY, visitorsApart } from '../cells.ts'

// The address that is invited belongs to none of the nine.
export const invitations: Cells = {
  tables: {
    subscription_invitations: {
      rows: { 'of the plan': 'subscription_id = :plan' },
      select: ['42501', 'none', 'none', 'none', 'none', 'of the plan', 'none', 'none', 'none'],
      hidden: ['token_hash'],
      insert: NOBODY,
      update: NOBODY,
      delete: NOBODY,
    },
  },
  functions: {
    invite_member: {
      'to the plan': [
        `invite_member(:plan, 'new@potluck.example')`,
        ['42501', '42501', '42501', '42501', '42501', 'yes', '42501', '42501', '42501'],
      ],
      'to the plan, for somebody who has blocked them': [
        'invite_member(:plan, :bea_email)',
        ['42501', '42501', '42501', '42501', '42501', '23514', '42501', '42501', '42501'],
      ],
    },
    withdraw_invitation: {
      'to the plan': [
        'withdraw_invitation(:invitation)',
        ['42501', 'PT404', 'PT404', 'PT404', 'PT404', 'yes', 'PT404', 'PT404', 'PT404'],
      ],
    },
    get_invitation: {
      // A visitor may be the invited person, who has still to sign in.
      'with the link of another': ['get_invitation(:token)', visitorsApart('yes', '42501')],
      'with a link that leads nowhere': [`get_invitation('guessed')`, everybody('PT404')],
    },
    accept_invitation: { 'with the link of another': ['accept_invitation(:token)', NOBODY] },
    decline_invitation: { 'with the link of another': ['decline_invitation(:token)', NOBODY] },
  },
}
