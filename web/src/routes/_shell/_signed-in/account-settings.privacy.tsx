import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { DeleteAccountCard } from '#features/account/profiles/DeleteAccountCard.tsx'
import { BankAccountLine } from '#features/money/wallet/BankAccountLine.tsx'
import { bankAccountQuery } from '#features/money/wallet/wallet.queries.ts'
import { BlockedCard } from '#features/people/blocks/BlockedCard.tsx'
import { useUser } from '#lib/session.ts'
import { AccountSettings } from './-AccountSettings.tsx'

/** Blocked people, and deleting the account. */
export const Route = createFileRoute('/_shell/_signed-in/account-settings/privacy')({ component: Privacy })

function Privacy() {
  const user = useUser()
  const { data: bankAccount } = useQuery(bankAccountQuery(user.id))
  return (
    <AccountSettings title={t`Privacy and data`}>
      <BlockedCard />
      <DeleteAccountCard
        userId={user.id}
        email={user.email}
        hasBankAccount={Boolean(bankAccount)}
        bankAccount={<BankAccountLine userId={user.id} />}
      />
    </AccountSettings>
  )
}
