import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { CardsLink } from '#features/money/cards/CardsLink.tsx'
import { providerQuery } from '#features/money/payments/provider.queries.ts'
import { TimeZoneCard } from '#features/money/payments/TimeZoneCard.tsx'
import { WishesCard } from '#features/money/payments/WishesCard.tsx'
import { BankAccountLine } from '#features/money/wallet/BankAccountLine.tsx'
import { bankAccountQuery } from '#features/money/wallet/wallet.queries.ts'
import { useUser } from '#lib/session.ts'
import { SectionCard } from '#ui/SectionCard.tsx'
import { AccountSettings } from './-AccountSettings.tsx'

/** How the signed-in person is paid, and what they pay with. */
export const Route = createFileRoute('/_shell/_signed-in/account-settings/money')({ component: Money })

function Money() {
  const { id: userId } = useUser()
  const { data: provider } = useQuery(providerQuery)
  const { data: bankAccount } = useQuery(bankAccountQuery(userId))
  return (
    <AccountSettings title={t`Money`}>
      <WishesCard userId={userId} />
      {/* Where members pay owners directly, there is nothing to pay out. */}
      {(provider || bankAccount) && (
        <SectionCard titleId="bank-title" title={t`Bank account`} gap="xs">
          <BankAccountLine userId={userId} />
        </SectionCard>
      )}
      <CardsLink />
      <TimeZoneCard />
    </AccountSettings>
  )
}
