import { Anchor, type AnchorProps, Button, type ButtonProps, Group } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import classes from './links.module.css'

type Native<Look> = Look & Omit<ComponentProps<'a'>, keyof Look>

export const LinkButton = createLink((props: Native<ButtonProps>) => <Button component="a" {...props} />)

/** A {@link Link} that looks like a link in a text. */
export const LinkAnchor = createLink((props: Native<AnchorProps>) => <Anchor {...props} />)

/** A {@link LinkAnchor} outside of text, high enough for a finger. */
export const LoneLink = createLink((props: Native<AnchorProps>) => (
  <Anchor mih={44} display="inline-flex" style={{ alignItems: 'center' }} {...props} />
))

/** A link from the top of a page to the page above it. A phone's bar has an arrow instead. */
export const BackLink = createLink(({ children, className = '', ...props }: Native<AnchorProps>) => (
  // The router gives a link to a page above the current one a class of its own.
  <Anchor
    mih={44}
    mb="sm"
    w="fit-content"
    className={`${classes.back} ${className}`}
    data-back-link
    {...props}
  >
    <Group gap={6} wrap="nowrap">
      <IconArrowLeft size={18} aria-hidden />
      {children}
    </Group>
  </Anchor>
))
