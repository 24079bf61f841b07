import { t } from '@lingui/core/macro'
import { Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCalendarClock, IconCoins, IconUsersPlus } from '@tabler/icons-react'
import { MINIMUM_WITHDRAWAL } from '#domain/coins.ts'
import { COINS_NOTE } from '#domain/fees.ts'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import classes from './HowCoinsWorkCard.module.css'
import { walletTexts } from './wallet.messages.ts'

const STEPS = [
  { icon: IconUsersPlus, text: `${COINS_NOTE}` },
  { icon: IconCoins, text: t`1 coin is 1 euro. You can withdraw ${MINIMUM_WITHDRAWAL} coins or more.` },
  { icon: IconCalendarClock, text: walletTexts.processing },
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
          {STEPS.map(({ icon: Icon, text }) => (
            <li key={text}>
              <ThemeIcon variant="light" color="honey" size={44} radius="md">
                <Icon size={22} aria-hidden />
              </ThemeIcon>
              <Text>{text}</Text>
            </li>
          ))}
        </ul>
      </Stack>
    </SurfaceCard>
  )
}
