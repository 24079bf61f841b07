import { t } from '@lingui/core/macro'
import { Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconBuildingBank, IconCalendarClock, IconCoins, IconUsersPlus } from '@tabler/icons-react'
import { MINIMUM_WITHDRAWAL } from '#domain/coins.ts'
import { COINS_NOTE } from '#domain/fees.ts'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import classes from './HowCoinsWorkCard.module.css'
import { walletTexts } from './wallet.messages.ts'

const STEPS = [
  {
    icon: IconUsersPlus,
    title: t`Share a plan`,
    text: `${COINS_NOTE}`,
  },
  {
    icon: IconCoins,
    title: t`1 coin is 1 euro`,
    text: t`You get 1 euro for each coin you withdraw.`,
  },
  {
    icon: IconBuildingBank,
    title: t`Withdraw from ${MINIMUM_WITHDRAWAL} coins`,
    text: t`We set the coins aside until they’re paid out.`,
  },
  { icon: IconCalendarClock, title: t`Paid out by people`, text: walletTexts.processing },
]

/** Explains coins: their value, how they are earned and how they are paid out. */
export function HowCoinsWorkCard() {
  return (
    <SurfaceCard component="section" aria-labelledby="how-coins-work">
      <Stack gap="lg">
        <Title order={2} size="h3" id="how-coins-work">
          {t`How coins work`}
        </Title>
        <ul className={classes.steps}>
          {STEPS.map(({ icon: Icon, title, text }) => (
            <li key={title}>
              <ThemeIcon variant="light" color="honey" size={44} radius="md">
                <Icon size={22} aria-hidden />
              </ThemeIcon>
              <div>
                <Text fw={650}>{title}</Text>
                <Text size="sm" c="dimmed">
                  {text}
                </Text>
              </div>
            </li>
          ))}
        </ul>
      </Stack>
    </SurfaceCard>
  )
}
