import { t } from '@lingui/core/macro'
import { Button, type ButtonProps, CopyButton, Group, Stack, Text } from '@mantine/core'
import { IconCheck, IconCopy, IconShare2 } from '@tabler/icons-react'
import { announce } from './announce.ts'
import { toastWarning } from './toasts.ts'

interface ShareLinkProps extends Pick<ButtonProps, 'variant'> {
  /** Undefined while it is loading. */
  link: string | undefined
  /**
   * The title for the share sheet. Without a title the link can only be copied, for links that only the person may use.
   */
  title?: string
  /** The label of the copy button. */
  copies?: string
  /** Shows the link in large letters above its buttons. */
  big?: boolean
}

/** A link with buttons to share it through the device's share sheet, if there is one, and to copy it. */
export function ShareLink({
  link = '',
  title = '',
  copies = t`Copy link`,
  variant = 'filled',
  big = false,
}: ShareLinkProps) {
  const canShare = title !== '' && 'share' in navigator
  const share = () =>
    navigator.share({ title, url: link }).catch((problem: Error) => {
      // Closing the share sheet rejects with AbortError, which is not a failure.
      if (problem.name !== 'AbortError') toastWarning(t`Link not shared`, t`Copy it instead.`)
    })
  const shown = link.replace(/^https?:\/\//, '')
  return (
    <Stack gap={6} miw={0}>
      {big && (
        <Text fz="xl" fw={650} mih={31} style={{ overflowWrap: 'anywhere' }}>
          {shown}
        </Text>
      )}
      <Group gap="xs">
        {canShare && (
          <Button
            variant={variant}
            leftSection={<IconShare2 size={20} aria-hidden />}
            disabled={!link}
            onClick={share}
          >
            {t`Share`}
          </Button>
        )}
        <CopyButton value={link}>
          {({ copied, copy }) => (
            <Button
              variant={canShare ? 'default' : variant}
              leftSection={copied ? <IconCheck size={20} aria-hidden /> : <IconCopy size={20} aria-hidden />}
              disabled={!link}
              onClick={() => {
                copy()
                announce(t`Copied`)
              }}
            >
              {copied ? t`Copied` : copies}
            </Button>
          )}
        </CopyButton>
      </Group>
      {!big && (
        <Text size="sm" c="dimmed" mih={20} truncate title={link}>
          {shown}
        </Text>
      )}
    </Stack>
  )
}
