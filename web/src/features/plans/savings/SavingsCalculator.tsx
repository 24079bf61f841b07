import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Badge, Group, SimpleGrid, Slider, Stack, Text, Title } from '@mantine/core'
import { useId, useState } from 'react'
import { percentOf } from '#domain/fees.ts'
import { CALCULATOR_EXAMPLES, type CalculatorExample, FEWEST_MEMBERS, savingAmong } from '#domain/savings.ts'
import { Money } from '#ui/Money.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { BeforeAfter } from './BeforeAfter.tsx'
import classes from './SavingsCalculator.module.css'

/** The price per member of an example plan, for any number of members. */
export function SavingsCalculator({ feeRate }: { feeRate: number }) {
  return (
    <Stack gap="md">
      <Text c="dimmed">
        <Trans>
          Move the slider to see what each member pays, including the {percentOf(feeRate)}% convenience fee.
        </Trans>
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {CALCULATOR_EXAMPLES.map((example) => (
          <Example key={example.basePrice} example={example} feeRate={feeRate} />
        ))}
      </SimpleGrid>
    </Stack>
  )
}

interface ExampleProps {
  example: CalculatorExample
  feeRate: number
}

function Example({ example: { basePrice, maxMembers }, feeRate }: ExampleProps) {
  const [members, setMembers] = useState(maxMembers)
  const title = useId()
  const saving = savingAmong(basePrice, members, feeRate)
  const choices = Array.from({ length: maxMembers - FEWEST_MEMBERS + 1 }, (_, more) => FEWEST_MEMBERS + more)
  return (
    <SurfaceCard component="section" aria-labelledby={title}>
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h4" id={title}>
          <Trans>A plan for up to {maxMembers}</Trans>
        </Title>
        <Badge variant="light" color="honey" flex="none">
          {t`Example`}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed">
        <Trans>
          Base price <Money amount={basePrice} per={t`/ month`} />
        </Trans>
      </Text>
      <Text fw={600} mt="lg" mb="xs">
        <Trans>
          Shared by <Plural value={members} one="# member" other="# members" />
        </Trans>
      </Text>
      <Slider
        classNames={{
          root: classes.slider ?? '',
          thumb: classes.thumb ?? '',
          markLabel: classes.count ?? '',
        }}
        min={FEWEST_MEMBERS}
        max={maxMembers}
        step={1}
        value={members}
        onChange={setMembers}
        marks={choices.map((value) => ({ value, label: value }))}
        label={null}
        thumbLabel={t`Members`}
        thumbSize={28}
        size="lg"
      />
      <div className={classes.result}>
        <BeforeAfter saving={saving} />
        <Text mt="md">
          <Trans>
            Each member saves <Money amount={saving.saved} per={t`/ month`} fw={700} c="herb" />
          </Trans>
        </Text>
      </div>
    </SurfaceCard>
  )
}
