import { type Cells, everybody, type Nine, NOBODY, signedIn } from '../cells.ts'

const OWN_AND_ADMINS: Nine = ['42501', 'own', 'own', 'own', 'own', 'own', 'own', 'all', 'all']
const ADMINS = (answer: string): Nine => [
  ...(['42501', '42501', '42501', '42501', '42501', '42501', '42501'] as const),
  answer,
  answer,
]

const SUPER_ADMINS: Nine = ['42501', '42501', '42501', '42501', '42501', '42501', '42501', '42501', 'yes']

export const wallet: Cells = {
  tables: {
    user_wallets: {
      rows: { own: 'user_id = :me' },
      select: OWN_AND_ADMINS,
      insert: NOBODY,
      update: NOBODY,
      delete: NOBODY,
    },
    coin_transactions: {
      rows: { own: 'user_id = :me' },
      select: OWN_AND_ADMINS,
      insert: NOBODY,
      update: NOBODY,
      delete: NOBODY,
    },
    withdrawal_requests: {
      rows: { own: 'user_id = :me', 'of others': 'user_id <> :me' },
      select: OWN_AND_ADMINS,
      insert: {
        columns: ['user_id', 'amount'],
        attempts: {
          'from their own wallet': ['(amount) values (20)', signedIn('yes')],
          'from the wallet of another': ['(user_id, amount) values (:lea, 20)', NOBODY],
        },
      },
      update: {
        columns: [
          ...['status', 'processed_at', 'completed_at', 'stripe_transfer_id', 'bank_account_last4'],
          'rejection_reason',
        ],
        attempts: {
          'to processing': [
            `status = 'processing'`,
            ['42501', 'none', 'none', 'none', 'none', 'none', 'none', 'of others, 42501', 'of others, 42501'],
          ],
          'what comes with a decision, without one': [
            `completed_at = now(), bank_account_last4 = '1234'`,
            ['42501', 'none', 'none', 'none', 'none', 'none', 'none', '23514, 42501', '23514, 42501'],
          ],
          'to rejected': [
            `status = 'rejected', rejection_reason = 'Unknown account'`,
            ['42501', 'none', 'none', 'none', 'none', 'none', 'none', 'of others, 42501', 'of others, 42501'],
          ],
          'straight to completed': [
            `status = 'completed'`,
            ['42501', 'none', 'none', 'none', 'none', 'none', 'none', '23514, 42501', '23514, 42501'],
          ],
        },
      },
      delete: NOBODY,
    },
  },
  functions: {
    open_own_wallet: {
      'their own': ['open_own_wallet() as a where a.user_id = :me', signedIn('yes')],
    },
    validate_withdrawal_request: {
      'for themselves': ['validate_withdrawal_request(:me, 20)', signedIn('yes')],
      'for another': ['validate_withdrawal_request(:lea, 20)', NOBODY],
    },
    wallet_statement: {
      'their own': [
        `wallet_statement(now() - interval '1 month', now() + interval '1 day')`,
        signedIn('yes'),
      ],
    },
    public_books: { "of everybody's last day": ['public_books()', everybody('yes')] },
    list_transfers: { "everybody's": ['list_transfers()', ADMINS('yes')] },
    list_staff_log: { "everybody's": ['list_staff_log()', SUPER_ADMINS] },
    list_withdrawals: { "everybody's": ['list_withdrawals()', ADMINS('yes')] },
    withdrawal_statistics: { "everybody's": ['withdrawal_statistics()', ADMINS('yes')] },
    wallet_overview: { "everybody's": ['wallet_overview()', ADMINS('yes')] },
    coins_by_day: { "everybody's": ['coins_by_day()', ADMINS('yes')] },
    transaction_statistics: { "everybody's": ['transaction_statistics()', ADMINS('yes')] },
    adjust_wallet: {
      'of another': [`adjust_wallet(:lea, 5, 'A gift')`, ADMINS('yes')],
      'of another, over the ceiling': [`adjust_wallet(:lea, 100.01, 'A gift')`, ADMINS('23514')],
      'of another, what is to be paid out': [`adjust_wallet(:lea, -80.01, 'A mistake')`, ADMINS('23514')],
      'their own': [`adjust_wallet(:me, 5, 'A gift')`, NOBODY],
    },
    get_bank_account: { 'their own': ['get_bank_account()', signedIn('yes')] },
    prepare_bank_account: { 'their own': ['prepare_bank_account()', signedIn('yes')] },
    save_bank_account: {
      'their own': [`save_bank_account(gen_random_uuid(), 2, '3000', 'v1.a.b', null)`, signedIn('yes')],
    },
    begin_vault: { 'of the site': [`begin_vault('a key')`, NOBODY] },
    take_vault_keys: { 'of everybody': [`take_vault_keys('a key')`, NOBODY] },
    rewrap_vault_keys: { 'of everybody': [`rewrap_vault_keys('a key', '[]')`, NOBODY] },
    create_payout_file: { 'of what waits': [`create_payout_file(array[:lea]::uuid[])`, ADMINS('PT404')] },
    open_payout_file: { 'that is not there': ['open_payout_file(0)', ADMINS('PT404')] },
    void_payout_file: { 'that is not there': [`void_payout_file(0, 'Closed')`, ADMINS('PT404')] },
    list_payout_files: { "everybody's": ['list_payout_files()', ADMINS('nothing')] },
    return_withdrawal: { 'that is not there': [`return_withdrawal(:lea, 'Closed')`, ADMINS('PT404')] },
  },
}
