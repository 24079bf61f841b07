import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBuildingBank } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { coinsInWords, MINIMUM_WITHDRAWAL, walletMood } from '#domain/coins.ts'
import { toCents } from '#domain/money.ts'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { useMainButton } from '#ui/leads.ts'
import { LoneLink } from '#ui/links.tsx'
import { Mascot } from '#ui/Mascot.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { BankAccountDialog } from './BankAccountDialog.tsx'
import { BankAccountLine } from './BankAccountLine.tsx'
import { ownPayoutsQuery } from './own-payouts.queries.ts'
import { useCoins } from './use-coins.ts'
import classes from './WalletCard.module.css'
import { walletTexts } from './wallet.messages.ts'
import { bankAccountQuery, type Wallet } from './wallet.queries.ts'

const LOOKS = { calm: t`A calm pot`, excited: t`An excited pot`, sparkling: t`A sparkling pot` } as const

interface WalletCardProps {
  userId: string
  onWithdraw: () => void
}

/** A person's balance, the part available for withdrawal, and the totals earned and withdrawn. */
export function WalletCard({ userId, onWithdraw }: WalletCardProps) {
  const { coins, problem, retry } = useCoins(userId)
  return (
    <SurfaceCard component="section" aria-labelledby="wallet-title" look="gradient">
      <Stack gap="lg">
        <Title order={2} size="h3" id="wallet-title">
          {t`Your wallet`}
        </Title>
        {problem && <LoadAlert title={walletTexts.failed} problem={problem} onRetry={retry} />}
        {!coins && !problem && <Skeleton height={248} radius="md" />}
        {coins && (
          <>
            <Balance {...coins.wallet} />
            <Figures {...coins.wallet} available={coins.available} />
            <WalletActions userId={userId} available={coins.available} onWithdraw={onWithdraw} />
          </>
        )}
      </Stack>
    </SurfaceCard>
  )
}

function Balance({ coinBalance }: Wallet) {
  const mood = walletMood(coinBalance)
  return (
    <div className={classes.balance}>
      <Mascot mood={mood} size={104} label={LOOKS[mood]} />
      <div>
        <Text size="sm" c="dimmed">
          {t`Coin balance`}
        </Text>
        <Text className={classes.coins}>{coinsInWords(coinBalance)}</Text>
      </div>
    </div>
  )
}

function Figures({ available, coinBalance, totalEarned, totalWithdrawn }: Wallet & { available: number }) {
  const setAside = toCents(coinBalance) - toCents(available)
  return (
    <>
      {/* Otherwise the available balance equals the balance above. */}
      {setAside > 0 && (
        <dl className={classes.figures}>
          <Figure label={t`Available balance`} value={available} />
          <Figure label={t`Set aside for a withdrawal`} value={setAside / 100} />
        </dl>
      )}
      <dl className={classes.figures}>
        <Figure label={t`Total earned`} value={totalEarned} />
        <Figure label={t`Total withdrawn`} value={totalWithdrawn} />
      </dl>
    </>
  )
}

const Figure = ({ label, value }: { label: string; value: number }) => (
  <div>
    <dt>{label}</dt>
    <dd>{coinsInWords(value)}</dd>
  </div>
)

function WalletActions({ userId, available, onWithdraw }: WalletCardProps & { available: number }) {
  const enough = available >= MINIMUM_WITHDRAWAL
  const { data: payouts } = useQuery(ownPayoutsQuery)
  const { data: account, isPending } = useQuery(bankAccountQuery(userId))
  const misses = account === null
  const main = useMainButton()
  const [adding, { open, close }] = useDisclosure(false)
  if (payouts?.uses)
    return (
      <LoneLink to="/account-settings/money">
        {payouts.account?.canReceive ? t`Move coins to your payout account` : t`Set up payouts`}
      </LoneLink>
    )
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant={main}
        leftSection={<IconBuildingBank size={18} aria-hidden />}
        loading={isPending}
        disabled={!misses && !enough}
        onClick={misses ? open : onWithdraw}
      >
        {misses ? t`Add a bank account` : t`Withdraw coins`}
      </Button>
      {!enough && (
        <Text size="sm" c="dimmed">
          <Trans>You can withdraw from {MINIMUM_WITHDRAWAL} coins.</Trans>
        </Text>
      )}
      {account && <BankAccountLine userId={userId} />}
      {adding && <BankAccountDialog userId={userId} onClose={close} />}
    </Stack>
  )
}
