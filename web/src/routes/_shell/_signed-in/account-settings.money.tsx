import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { SellerCard } from '#features/account/sellers/SellerCard.tsx'
import { HomeCountryCard } from '#features/money/payments/HomeCountry.tsx'
import { WishesCard } from '#features/money/payments/WishesCard.tsx'
import { TaxDetailsCard } from '#features/money/tax/TaxDetailsCard.tsx'
import { BankAccountLine } from '#features/money/wallet/BankAccountLine.tsx'
import { OwnPayoutsCard } from '#features/money/wallet/OwnPayoutsCard.tsx'
import { ownPayoutsQuery } from '#features/money/wallet/own-payouts.queries.ts'
import { bankAccountQuery } from '#features/money/wallet/wallet.queries.ts'
import { paymentProviderQuery } from '#lib/payments.ts'
import { given } from '#lib/search.ts'
import { useUser } from '#lib/session.ts'
import { AccountSettings } from './-AccountSettings.tsx'

/** Settings for being paid. */
export const Route = createFileRoute('/_shell/_signed-in/account-settings/money')({
  /** Set when the person returns from the provider's pages. */
  validateSearch: z.object({ payouts: given(z.enum(['back', 'again'])) }),
  component: Money,
})

function Money() {
  const { id: userId } = useUser()
  const { data: provider } = useQuery(paymentProviderQuery)
  const { data: bankAccount } = useQuery(bankAccountQuery(userId))
  const { data: payouts } = useQuery(ownPayoutsQuery)
  const { payouts: isBack } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <AccountSettings title={t`Money`}>
      <TaxDetailsCard />
      <SellerCard />
      <WishesCard userId={userId}>
        {/* For sites that take payments and pay owners to bank accounts, and for people who stored a bank account. */}
        {((provider && payouts?.uses === false) || bankAccount) && (
          <BankAccountLine userId={userId} asSetting />
        )}
      </WishesCard>
      {payouts?.uses && (
        <OwnPayoutsCard
          userId={userId}
          isBack={isBack !== undefined}
          onChecked={() => void navigate({ search: {}, replace: true })}
        />
      )}
      <HomeCountryCard />
    </AccountSettings>
  )
}
