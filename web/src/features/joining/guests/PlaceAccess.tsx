import { plural, t } from '@lingui/core/macro'
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { OpenedSecret, type Secret, useOpening } from '#features/trust/access/OpenedSecret.tsx'
import { callVault } from '#lib/vault.ts'
import { SectionCard } from '#ui/SectionCard.tsx'

/** The login of the plan, which the guest opens with the PIN that the owner has told them. */
export function PlaceAccess({ secret, owner }: { secret: string; owner: string }) {
  const [pin, setPin] = useState('')
  const [left, setLeft] = useState<number>()
  const opening = useOpening(async () => {
    const answer = (await callVault('open-place-access', { secret, pin })) as Secret | { left: number }
    setPin('')
    if (!('left' in answer)) return answer
    setLeft(answer.left)
  })
  const open = (event: FormEvent) => {
    event.preventDefault()
    setLeft(undefined)
    void opening.open()
  }
  return (
    <SectionCard titleId="access" title={t`Login`}>
      {opening.secret ? (
        <Stack gap="sm">
          <OpenedSecret secret={opening.secret} secondsLeft={opening.secondsLeft} />
          <Group>
            <Button variant="default" onClick={opening.hide}>
              {t`Hide`}
            </Button>
          </Group>
        </Stack>
      ) : (
        <Stack gap="sm" component="form" onSubmit={open}>
          <Text size="sm" c="dimmed">
            {t`${owner} gives you the PIN and sees when you open the login.`}
          </Text>
          <TextInput
            label={t`PIN`}
            inputMode="numeric"
            autoComplete="off"
            maxLength={6}
            maw={160}
            value={pin}
            error={
              left !== undefined &&
              (left === 0
                ? t`That PIN is wrong. Ask ${owner} for a new one.`
                : t`That PIN is wrong. ${plural(left, { one: '# try', other: '# tries' })} left.`)
            }
            onChange={({ currentTarget }) => setPin(currentTarget.value.replace(/\D/g, ''))}
          />
          <Group>
            <Button type="submit" variant="default" loading={opening.working} disabled={pin.length !== 6}>
              {t`Show the login`}
            </Button>
          </Group>
        </Stack>
      )}
    </SectionCard>
  )
}
