/** Where a browser reaches the web client and the four services. */
export interface ServiceUrls {
  web: string;
  auth: string;
  notes: string;
  links: string;
  webhooks: string;
  /** Other products that a login may return to. */
  returnOrigins: string[];
}
