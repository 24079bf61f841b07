import { t } from '@lingui/core/macro'
import { Group, List, Text, VisuallyHidden } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { passwordStrength } from '#domain/password-strength.ts'
import classes from './PasswordStrength.module.css'

/** The five rules for a new password, each marked as met or not while the person types. */
export function PasswordStrength({ password }: { password: string }) {
  const rules = passwordStrength(password)
  const met = rules.filter((rule) => rule.met).length
  return (
    <div>
      <Group gap={4} grow mb="xs" aria-hidden>
        {rules.map(({ label }, place) => (
          <span key={label} className={classes.bar} data-bar={place < met ? 'full' : 'empty'} />
        ))}
      </Group>
      <List listStyleType="none" spacing={2} aria-label={t`Password rules`} className={classes.rules}>
        {rules.map((rule) => (
          <List.Item key={rule.label} className={classes.rule} data-met={rule.met}>
            <Group gap={8} wrap="nowrap">
              {rule.met ? <IconCircleCheckFilled size={16} /> : <IconCircle size={16} />}
              <Text size="sm" inherit>
                {rule.label}
                <VisuallyHidden> {rule.met ? t`(met)` : t`(not met)`}</VisuallyHidden>
              </Text>
            </Group>
          </List.Item>
        ))}
      </List>
    </div>
  )
}
